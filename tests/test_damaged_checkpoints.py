"""Checkpoints and weights whose files are damaged: refused in a sentence that names them, or right."""

import json
import re
import warnings

import damage
import numpy as np
import pytest
from test_checkpoint import Network, assert_same_bits, train

from minigrad import nn
from minigrad.guards.files import load_arrays, save_arrays
from minigrad.training.checkpoint import CheckpointError

MEAN_NOTHING = ("one byte more", "the last byte changed", "twice")  # the last bytes are the length of a comment


@pytest.mark.parametrize("kind", sorted(damage.KINDS.keys() - {"gone", "exchanged", "a link to nowhere"}))
def test_no_damaged_file_is_continued(tmp_path, kind):
    """One that cannot be read is an OSError, which names it. A byte more behind its end is no damage."""
    path, model = tmp_path / "run", Network(rng=1)
    train(path, epochs=1)
    damage.KINDS[kind]([path])
    before = model.state_dict()
    refused = None
    try:
        continued = train(path, model=model)
    except (CheckpointError, OSError) as error:
        refused = error
    path.chmod(0o700)
    if refused is None:
        assert kind in {*MEAN_NOTHING, "some byte changed"}, "a byte of a zip's own bookkeeping may mean nothing"
        assert_same_bits(continued, train(None))
        return
    assert kind not in MEAN_NOTHING
    assert "run" in str(refused)
    assert isinstance(refused, OSError) or re.search("is no checkpoint, or is damaged .*Delete it", str(refused))
    assert all(np.array_equal(before[name], value) for name, value in model.state_dict().items())


WITHOUT = object()
ABOUT = {
    "settings": (WITHOUT, [], "settings", None), "steps": (WITHOUT, 1.5, "7", -1, True, None, [2], 0, 10**400),
    "generators": (WITHOUT, {}, [], [{}], ["PCG64"], [None], [{"bit_generator": "PCG64"}]),
    "epochs": (WITHOUT, {}, 3, [1, 2], [{}], [{"epoch": 1}], [{"epoch": "1"}], [[1, 2]], None),
}  # fmt: skip
ARRAYS = {
    "losses": (WITHOUT, np.array(1.0), np.array(["0.5"]), np.ones((2, 2)), np.ones(2, int), np.ones(1)),
    "accuracies": (WITHOUT, np.array(0.5), np.array(["a", "b"]), np.ones(99)),
    "about": (WITHOUT, *map(np.array, ("[]", "7", "{}", "null", '"text"', "{"))),
    "parameter.first.weight": (WITHOUT, np.ones(3), np.array(["a"])), "kept.0.first.weight": (WITHOUT, np.ones((6, 8))),
}  # fmt: skip


def test_a_file_of_other_content_changes_nothing(tmp_path):
    """Each part missing, or of another kind: one sentence, before a weight, a generator or the history changes."""
    path = tmp_path / "run"
    train(path, epochs=1, rng=np.random.default_rng(5))
    whole = load_arrays(path)
    about = json.loads(str(whole["about"][()]))
    cases = [(name, whole | {name: new}) for name, others in ARRAYS.items() for new in others]
    for name, others in ABOUT.items():
        for new in others:
            changed = {key: value for key, value in (about | {name: new}).items() if value is not WITHOUT}
            cases.append((name, whole | {"about": np.array(json.dumps(changed))}))
    row = about["epochs"][0]
    cases.append(("kept.0.first.weight", whole | {"kept.0.first.weight": whole["kept.0.first.weight"] * np.nan}))
    for epochs in (
        [],
        [row, row],
        [row | {"epoch": 2}],
        [row | {"more": 1}],
        [{k: v for k, v in row.items() if k != "seconds"}],
        [row | {"seconds": "1"}],
    ):
        cases.append(("epochs", whole | {"about": np.array(json.dumps(about | {"epochs": epochs}))}))
    train(path, epochs=1, rng=np.random.default_rng(5))  # the file itself is taken
    for name, arrays in cases:
        save_arrays(path, {key: array for key, array in arrays.items() if array is not WITHOUT})
        model, rng = Network(rng=1), np.random.default_rng(5)
        before, state = model.state_dict(), rng.bit_generator.state
        with pytest.raises(CheckpointError, match=r"run (is no checkpoint|belongs to another).*Delete it"):
            train(path, model=model, rng=rng)
        assert all(np.array_equal(before[key], value) for key, value in model.state_dict().items()), name
        assert rng.bit_generator.state == state, name


def test_flipped_bits_of_weights_are_noticed(tmp_path):
    """The checksums of the file do not cover its own bookkeeping, where some bits mean nothing."""
    path, model, other = tmp_path / "weights", nn.Linear(2, 2, rng=0), nn.Linear(2, 2, rng=1)
    model.save(path)
    first, whole, refused = other.state_dict(), path.read_bytes(), list[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about a header that it reads before the checksum
        for k in range(len(whole)):
            path.write_bytes(whole[:k] + bytes([whole[k] ^ 1 << k % 8]) + whole[k + 1 :])
            try:
                other.load(path)
            except (ValueError, KeyError) as error:  # a name is missing
                refused.append(str(error))
                expected = first
            else:
                expected = model.state_dict()
            for name, array in other.state_dict().items():
                np.testing.assert_array_equal(expected[name], array)
            other.load_state_dict(first)
    assert len(refused) > len(whole) / 2
    assert all(str(path) in sentence for sentence in refused)
    path.write_bytes(b"PK not really")
    with pytest.raises(ValueError, match="weights does not hold saved parameters"):
        other.load(path)
