"""`minigrad prepare`: every kind of network is compiled once, and then it is known to be done."""

import numpy as np
import pytest

import minigrad as mg
from minigrad.native import jit
from minigrad_course import cli, doctor, prepare


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(prepare.os, "nice", lambda more: None)


@pytest.mark.parametrize("name", prepare.NETWORKS)
def test_each_network_learns(name):
    model, loss, optimizer, x, y = prepare.NETWORKS[name]()
    data = mg.data.Data(x, y, x, y, name="made up")
    losses = mg.fit(model, data, 9, len(x), optimizer, loss=loss, rng=0, progress=False).losses
    assert np.isfinite(losses).all()
    assert losses[-1] < losses[0]


@pytest.mark.compiled
def test_a_second_time_does_nothing(fresh, capsys, monkeypatch):
    monkeypatch.setattr(prepare, "NETWORKS", {"dense layers": prepare.NETWORKS["dense layers"]})
    states = []
    for _ in range(2):
        states.append({line.what: line.state for line in doctor.machine_code()}.get("machine code"))
        assert cli.main(["prepare"]) == 0
    assert states[0] != doctor.GOOD
    assert states[1] == doctor.GOOD
    first, by_hand, second = capsys.readouterr().out.splitlines()
    assert first.startswith("dense layers")
    assert by_hand.startswith("one picture in float64")
    assert "already" in second
    assert prepare.prepared()
