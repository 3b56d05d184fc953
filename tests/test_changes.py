"""Records and sets among a model's attributes: what is changed in them is noticed."""

import dataclasses
from collections import deque
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.guards.snapshots import Snapshot
from minigrad.training import optim


@dataclasses.dataclass
class Record:
    factor: float
    inner: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Slotted:
    __slots__ = ("factor",)
    factor: float


VALUES = {
    "a set, more": (lambda: {"a"}, lambda x: x.add("b")),
    "a set, less": (lambda: {"a", "b"}, lambda x: x.discard("a")),
    "a set, another": (lambda: {1}, lambda x: (x.clear(), x.add(True))),
    "a set in a list": (lambda: [{"a"}], lambda x: x[0].add("b")),
    "a deque": (lambda: deque([1]), lambda x: x.append(2)),
    "bytes": (lambda: bytearray(b"a"), lambda x: x.extend(b"b")),
    "the sign of a zero": (lambda: [0.0], lambda x: x.__setitem__(0, -0.0)),
    "True for 1": (lambda: [1], lambda x: x.__setitem__(0, True)),
    "the order of a dict": (lambda: {"a": 1, "b": 1}, lambda x: x.update(a=x.pop("a"))),
    "an array": (lambda: np.ones(3), lambda x: x.fill(2.0)),
    "a namespace": (lambda: SimpleNamespace(k=1.0), lambda x: setattr(x, "k", 2.0)),
    "a namespace, more": (lambda: SimpleNamespace(), lambda x: setattr(x, "k", 2.0)),
    "a dataclass": (lambda: Record(1.0), lambda x: setattr(x, "factor", 2.0)),
    "a dataclass of slots": (lambda: Slotted(1.0), lambda x: setattr(x, "factor", 2.0)),
    "a list in a dataclass": (lambda: Record(1.0), lambda x: x.inner.append(1)),
    "a dataclass in a dict": (lambda: {"a": (Record(1.0),)}, lambda x: setattr(x["a"][0], "factor", 2.0)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_change_in_place_is_noticed(name):
    make, change = VALUES[name]
    model = nn.Linear(2, 1, rng=0)
    model.own = own = make()
    snapshot = Snapshot(model)
    for model.own in (own, make(), own):  # another object with the same content
        assert snapshot.holds()
    change(own)
    assert [snapshot.holds(), snapshot.holds()] == [False, False]
    model.own = "another"
    assert [snapshot.holds(), snapshot.holds()] == [False, False]


class Switched(nn.Module):
    def __init__(self):
        self.dense, self.on = nn.Linear(4, 3, rng=0), {"a"}

    def forward(self, x):
        return self.dense(x) * (2 if "b" in self.on else 1)


def test_a_compiled_step_follows_a_set():
    model, x, y = Switched(), np.ones((4, 4), np.float32), np.zeros(4, int)
    step = mg.compile(model, nn.cross_entropy, optim.SGD(1e-9), x, y)
    before = step(x, y)
    model.on.add("b")
    assert step(x, y) == pytest.approx(float(nn.cross_entropy(model(x), y).value))
    assert step(x, y) != before


@pytest.mark.parametrize("compiled", [False, True])
def test_fit_takes_data_of_another_byte_order(compiled):
    draw = np.random.default_rng(0)
    x, y = draw.normal(size=(8, 4)).astype(np.float32), draw.integers(0, 3, 8)
    bytes_of = np.zeros(8 * 8 + 1, np.uint8)
    crooked = bytes_of[1:].view(np.int64)
    crooked[:] = y
    read_only = y.copy()
    read_only.flags.writeable = False
    results = []
    for labels in (y, y.astype(">i8"), y.astype(">i2"), crooked, read_only, np.repeat(y, 2)[::2]):
        for images in (x, x.astype(">f4")):
            model = nn.Linear(4, 3, rng=0)
            data = SimpleNamespace(train_x=images, train_y=labels, test_x=images, test_y=labels)
            mg.fit(model, data, 1, 4, optim.SGD(0.1), rng=0, compiled=compiled)
            results.append(model.weight.value)
    for weight in results:
        np.testing.assert_array_equal(weight, results[0])


class Refuses:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


def test_what_a_state_dict_cannot_hold_is_said():
    model = nn.Linear(1, 1, rng=0)
    before = model.state_dict()
    with pytest.raises(ValueError, match=r"load_state_dict: weight is float32 here, and 1e\+300 is too large for it"):
        model.load_state_dict({"bias": np.ones(1), "weight": np.array([[1e300]])})
    with pytest.raises(ValueError, match=r"weight is no NumPy array.* \.detach\(\)\.float\(\)\.numpy\(\) is one"):
        model.load_state_dict({"bias": np.ones(1), "weight": Refuses()})
    for name, array in before.items():
        np.testing.assert_array_equal(model.state_dict()[name], array)
    model.load_state_dict({"bias": np.ones(1), "weight": np.array([[np.inf]])})  # it was infinite before
