"""The walk back with its three rules, and with each of them left out."""

import pytest

import minigrad as mg
from minigrad_course.viz.walk_back import walk_back


@pytest.fixture
def graph():
    x, y = mg.Variable(2.0, name="x"), mg.Variable(3.0, name="y")
    a = x * y
    b = a + x
    return x, y, a, b, a * b


def test_the_right_walk_ends_with_the_adjoints_of_backward(graph):
    *nodes, f = graph
    steps = walk_back(f)
    f.backward()
    for node in nodes:
        assert steps[-1].adjoints[node] == node.adjoint


def test_a_node_that_does_not_wait_passes_on_too_little(graph):
    x, y, *_, f = graph
    final = walk_back(f, in_order=False)[-1].adjoints
    assert (final[x], final[y]) == (8 * 3 + 6, 8 * 2)  # a passed on 8; the 6 from b came too late


def test_overwriting_keeps_only_what_came_last(graph):
    x, y, a, _, f = graph
    final = walk_back(f, add=False)[-1].adjoints
    assert (final[a], final[x], final[y]) == (6, 18, 12)


def test_without_a_reset_the_second_pass_starts_wrong(graph):
    x, *_, f = graph
    right, wrong = walk_back(f)[-1].adjoints, walk_back(f, reset=False, passes=2)[-1].adjoints
    assert wrong[x] > 2 * right[x]  # not even twice the gradient: what was left inside was passed on again
    assert walk_back(f, passes=2)[-1].adjoints == right


def test_a_step_says_what_was_passed_on_and_draws_the_moment(graph):
    *_, f = graph
    steps = walk_back(f)
    assert steps[0].sentence == "Seed: the output v4 gets the adjoint 1"
    assert "passes on 8 to" in steps[1].sentence
    assert "48" in steps[-1].picture(f).text
    assert f.adjoint is None  # drawing a moment leaves the nodes as they were


def test_arrays_are_refused():
    with pytest.raises(ValueError, match="single numbers"):
        walk_back(mg.sum(mg.Variable([1.0, 2.0])))
