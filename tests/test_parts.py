"""The parts of a compiled step's time, their arithmetic, and that nothing stays trained."""

import numpy as np
import pytest

import minigrad as mg
from benchmarks.parts import BETWEEN, parts
from minigrad import nn
from minigrad.training import optim

pytestmark = pytest.mark.slow


def classes(*shape, rows=12):
    rng = np.random.default_rng(0)
    return rng.random((rows, *shape), np.float32), rng.integers(0, 3, rows)


@pytest.fixture(scope="module")
def dense():
    model = nn.Sequential(nn.Linear(8, 5, rng=0), nn.Dropout(0.2, rng=3), nn.Tanh(), nn.Linear(5, 3, rng=1))
    x, y = classes(8)
    return model, mg.compile(model, nn.cross_entropy, optim.Adam(0.01), x[:6], y[:6]), x, y


def test_the_parts_are_the_headings_of_the_program(dense):
    _, step, x, y = dense
    result = parts(step, x, y, steps=2, rounds=2)
    headings = [line.strip().removeprefix("# --- ") for line in step.source.split("\n") if "# --- " in line]
    assert [row.heading for row in result.rows] == [*dict.fromkeys(headings), BETWEEN]
    assert all(0 <= row.in_products <= row.seconds for row in result.rows)
    assert result.seconds > 0
    assert result.peak > 0


def test_the_operations_are_those_of_the_formulas(dense):
    _, step, x, y = dense
    rows = {row.heading: row.operations for row in parts(step, x, y, steps=2, rounds=1).rows}
    one, two = 2 * 6 * 8 * 5, 2 * 6 * 5 * 3  # of the first layer's product, and of the second's
    assert sum(rows.values()) == 2 * one + 3 * two  # forward, to the weights, and in the second layer to the inputs
    assert rows["layer 0, Linear 8 to 5: forward"] == one
    assert rows[BETWEEN] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("pooled", [True, False])
def test_the_operations_of_convolutions(pooled):
    layers = [nn.Conv2d(1, 2, 3, rng=0), nn.ReLU(), *([nn.MaxPool2d(2)] if pooled else []), nn.Conv2d(2, 3, 2, rng=1)]
    inner, outer = (8, 3 if pooled else 7)  # rows of what the first convolution makes, and of what the second does
    model = nn.Sequential(*layers, nn.ReLU(), nn.Flatten(), nn.Linear(3 * outer**2, 3, rng=2))
    x, y = classes(1, 10, 10)
    step = mg.compile(model, nn.cross_entropy, optim.SGD(0.1), x[:4], y[:4])
    rows = parts(step, x, y, steps=2, rounds=1).rows
    first, second = 2 * 4 * inner**2 * 2 * 9, 2 * 4 * outer**2 * 3 * 2 * 4
    dense = 2 * 4 * 3 * outer**2 * 3
    assert sum(row.operations for row in rows) == 2 * first + 3 * second + 3 * dense


def test_what_cannot_be_looked_at_is_said(dense):
    model, step, x, y = dense
    with pytest.raises(ValueError, match="a batch has 6 rows, got 5 of x and 12 of y"):
        parts(step, x[:5], y)
    before = {name: value.copy() for name, value in model.state_dict().items()}
    with pytest.raises(FloatingPointError, match="a loss is nan"):
        parts(step, x * np.float32(np.nan), y, steps=2, rounds=1)
    for name, value in model.state_dict().items():
        np.testing.assert_array_equal(value, before[name])
    plain = nn.Sequential(nn.Linear(8, 3, rng=0))
    shards = mg.compile(plain, nn.cross_entropy, optim.SGD(0.1), x[:6], y[:6], shards=2)
    with pytest.raises(ValueError, match="works in 2 shards"):
        parts(shards, x, y)
