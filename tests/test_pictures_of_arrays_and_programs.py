"""The pictures of lessons 07 and 08: cells of arrays, and programs with the lives of what they compute."""

import itertools

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.viz import pictures_of_arrays, pictures_of_programs
from minigrad_course.viz.pictures_of_programs import (
    buffer_lives,
    lives,
    packed,
)


@pytest.mark.parametrize(
    ("shape", "sums"), [((3,), "5, 4, 4"), ((1, 3), "5, 4, 4"), ((4, 1), "3, 2, 4, 4"), ((), "13"), ((4, 3), "1, 2, 0")]
)
def test_adjoints_of_copies_are_summed(shown, shape, sums):
    adjoint = np.array([[1, 2, 0], [0, 1, 1], [3, 0, 1], [1, 1, 2.0]])
    pictures_of_arrays.broadcasting(np.ones(shape), adjoint)
    assert f"collapse: {sums}" in shown[0][1]


def test_an_entry_meets_a_row(shown):
    pictures_of_arrays.product(1, 2)
    assert "row 2 of B and added into row 1 of C" in shown[0][1]


def test_packed_rows_never_hold_two_at_a_time():
    rng = np.random.default_rng(0)
    lines = [f"v{k} = v{rng.integers(0, k)} * v{rng.integers(0, k)}" for k in range(1, 40)]
    alone, together = lives(lines), packed(lives(lines))
    assert {life.name for life in alone} == {life.name for life in together}
    for row in range(max(life.row for life in together) + 1):
        inside = sorted((life.first, life.last) for life in together if life.row == row)
        assert all(a[1] < b[0] for a, b in itertools.pairwise(inside))
    most = max(sum(life.first <= k <= life.last for life in alone) for k in range(len(lines)))
    assert max(life.row for life in together) + 1 == most


def test_a_programs_lives_lie_in_its_buffers(shown):
    x = mg.Variable(np.linspace(0, 1, 50).reshape(5, 10), name="x")
    w = mg.Variable(np.ones((10, 10)), name="w")
    f = mg.sum(mg.tanh(mg.tanh(x @ w) @ w))
    outputs = [f, *mg.adjoints(f, [w])]
    alone = mg.compile_graph(outputs, [x, w], off=("reuse_buffers",)).buffers
    shared = mg.compile_graph(outputs, [x, w]).buffers
    lifetimes = buffer_lives(alone, shared)
    assert len(lifetimes) == len(alone.rows)
    assert max(life.row for life in lifetimes) + 1 == len(shared.rows) < len(alone.rows)
    pictures_of_programs.lifetimes(lifetimes, 3, "shared")
    assert f"{len(alone.rows)} bars in {len(shared.rows)} rows" in shown[0][1]
