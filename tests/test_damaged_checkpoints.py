"""Checkpoints and weights whose files are damaged: refused in a sentence that names them, or right."""

import re
import warnings

import damage
import numpy as np
import pytest
from test_checkpoint import Network, assert_same_bits, train

from minigrad import nn
from minigrad.training.checkpoint import CheckpointError


@pytest.mark.parametrize("kind", sorted(damage.KINDS.keys() - {"gone", "exchanged", "a link to nowhere"}))
def test_no_damaged_file_is_continued(tmp_path, kind):
    """One that cannot be read is an OSError, which names it. A byte more behind its end is no damage."""
    path, model = tmp_path / "run", Network(rng=1)
    train(path, epochs=1)
    damage.KINDS[kind]([path])
    before = model.state_dict()
    if kind in ("one byte more", "the last byte changed", "twice"):  # the last bytes are the length of a comment
        assert_same_bits(train(path, model=model), train(None))
        return
    try:
        with pytest.raises((CheckpointError, OSError), match="run") as refused:
            train(path, model=model)
        says = "run is no checkpoint, or is damaged .*Delete it"
        assert isinstance(refused.value, OSError) or re.search(says, str(refused.value))
    finally:
        path.chmod(0o700)
    assert all(np.array_equal(before[name], value) for name, value in model.state_dict().items())


def test_whichever_bit_of_weights_is_flipped_they_are_right_or_refused(tmp_path):
    """The checksums of the file do not cover its own bookkeeping, where some bits mean nothing."""
    path, model, other = tmp_path / "weights", nn.Linear(2, 2, rng=0), nn.Linear(2, 2, rng=1)
    model.save(path)
    first, whole, refused = other.state_dict(), path.read_bytes(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about a header that it reads before the checksum
        for k in range(len(whole)):
            path.write_bytes(whole[:k] + bytes([whole[k] ^ 1 << k % 8]) + whole[k + 1 :])
            try:
                other.load(path)
            except (ValueError, KeyError):  # a name is missing
                refused += 1
                expected = first
            else:
                expected = model.state_dict()
            for name, array in other.state_dict().items():
                np.testing.assert_array_equal(expected[name], array)
            other.load_state_dict(first)
    assert refused > len(whole) / 2
    path.write_bytes(b"PK not really")
    with pytest.raises(ValueError, match="weights does not hold saved parameters"):
        other.load(path)
