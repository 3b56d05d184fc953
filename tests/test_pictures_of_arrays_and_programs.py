"""The pictures of lessons 07 and 08: cells of arrays, and programs with the lives of what they compute."""

import itertools

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.viz import pictures_of_arrays, pictures_of_programs
from minigrad_course.viz.pictures_of_programs import (
    Listing,
    SideBySide,
    buffer_lives,
    lives,
    needed,
    packed,
    reads,
    target,
)


@pytest.mark.parametrize(
    ("shape", "sums"), [((3,), "5, 4, 4"), ((1, 3), "5, 4, 4"), ((4, 1), "3, 2, 4, 4"), ((), "13"), ((4, 3), "1, 2, 0")]
)
def test_adjoints_of_copies_are_summed(shown, shape, sums):
    adjoint = np.array([[1, 2, 0], [0, 1, 1], [3, 0, 1], [1, 1, 2.0]])
    pictures_of_arrays.broadcasting(np.ones(shape), adjoint)
    assert f"collapse: {sums}" in shown[0][1]


def test_only_those_that_came_back_are_summed(shown):
    pictures_of_arrays.broadcasting(np.zeros(2), np.ones((3, 2)), copied=1, returned=2)
    assert "collapse: 2, 2 so far" in shown[0][1]


@pytest.mark.parametrize(("array", "adjoint"), [(np.ones(2), np.ones((4, 3))), (np.ones(3), np.ones(3))])
def test_shapes_that_cannot_be_drawn_are_named(array, adjoint):
    with pytest.raises(ValueError, match=r"broadcast"):
        pictures_of_arrays.broadcasting(array, adjoint)


def test_an_entry_of_a_meets_a_row_of_b_and_changes_a_row_of_c(shown):
    pictures_of_arrays.product(1, 2)
    assert "row 2 of B and added into row 1 of C" in shown[0][1]
    with pytest.raises(ValueError, match=r"no entry \[4, 0\]"):
        pictures_of_arrays.product(4, 0)


def test_jacobians_of_any_shape_are_drawn(shown):
    pictures_of_arrays.jacobians({"zero": np.zeros((2, 1)), "wide": np.eye(3)[:1]}, "two")
    ((_, sentence),) = shown
    assert sentence == "two"


LINES = ["v1 = x * y", "v2 = sin(v1)", "y_bar = v2 * 2", "x_bar = cos(v1)", "x_bar += v1"]


def test_a_line_writes_one_name_and_reads_others():
    assert target("x_bar += v1 * cos(v2)") == "x_bar"
    assert reads("x_bar += v1 * cos(v2)") == {"x_bar", "v1", "v2"}
    assert reads("v1 = 2 * x") == {"x"}
    for line in ("", "print(x)", "a = b = c", "a[0] = b", "a -= b", "a = ="):
        with pytest.raises(ValueError, match=r"a line of a program"):
            target(line)


def test_lines_that_no_result_depends_on_are_not_needed():
    assert needed(LINES, ["x_bar"]) == [True, False, False, True, True]
    assert needed(LINES, ["y_bar"]) == [True, True, True, False, False]
    assert needed(["t = x", "t = y"], ["t"]) == [False, True]


def test_a_name_lives_from_its_first_line_to_its_last_reader():
    lifetimes = {life.name: (life.first, life.last) for life in lives(LINES, wanted=["y_bar"])}
    assert lifetimes == {"v1": (0, 4), "v2": (1, 2), "y_bar": (2, 4), "x_bar": (3, 4)}


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


def test_rows_have_one_size():
    small, large = pictures_of_programs.Life("a", 0, 1, 8), pictures_of_programs.Life("b", 2, 3, 80)
    assert [life.row for life in packed([small, large])] == [0, 1]


def test_the_lives_of_a_compiled_program_lie_in_its_buffers(shown):
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
    with pytest.raises(ValueError, match="not two versions of one program"):
        buffer_lives(shared, mg.compile_graph([mg.sum(mg.tanh(x))], [x]).buffers)


def test_bars_that_reach_across_the_turn_are_named(shown):
    pictures_of_programs.lifetimes(lives(LINES), 3)
    assert "begins at the dashed line: v1." in shown[0][1]
    with pytest.raises(ValueError, match="no life"):
        pictures_of_programs.lifetimes([], 0)


def test_a_listing_crosses_out_in_text_and_html():
    listing = Listing(["a = x", "bb = <y>"], [True, False])
    assert repr(listing) == "a = x      # dead\nbb = <y>"
    assert "<s" in listing._repr_html_()
    assert "&lt;y&gt;" in listing._repr_html_()
    with pytest.raises(ValueError, match="2 lines need as many marks"):
        Listing(["a = x", "b = y"], [True])


def test_side_by_side_reads_down_and_up():
    picture = SideBySide([("v1 = x * y", ["x_bar = v1_bar * y", "y_bar = v1_bar * x"])], "v1_bar = 1.0")
    assert "v1 = x * y  |  x_bar = v1_bar * y; y_bar = v1_bar * x" in repr(picture)
    assert picture._repr_html_().count("<tr") == 3
