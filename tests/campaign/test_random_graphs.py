"""Random graphs: are their derivatives right, and does what must hold for any graph hold?

That all modes agree about five times as many is asked elsewhere (test_in_plain_python.py, which runs each of its graphs
in eager mode too). MINIGRAD_CAMPAIGN sets how many there are, a fifth of them here; MINIGRAD_CAMPAIGN_SEED which ones.
"""

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.check import check_gradients

from . import GRAPHS as WHOLE
from . import SEED
from .metamorphic import check_laws, shuffled_order
from .random_graphs import Program

GRAPHS = WHOLE // 5
PART = max(1, GRAPHS // 10)


def examine(program: Program) -> None:
    """The derivatives of a program in a random direction, and one of the laws; each law has its turn."""
    check_gradients(program, *program.inputs, entries=0, directions=1, seed=program.number)
    check_laws(program, program.inputs, np.random.default_rng(program.number), which=program.number)


@pytest.mark.parametrize("start", range(0, GRAPHS, PART))
def test_random_graphs(start, count):
    """Modes and finite differences agree; two backwards add up; linear in the seed; any order; rerun equals fresh."""
    numbers = range(start, min(start + PART, GRAPHS))
    for number in numbers:
        try:
            examine(Program(SEED, number))
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error}\n{_shortest(number)}")
    count("random graphs, derivatives and laws", len(numbers))


def _shortest(number: int) -> Program:
    """The same program with as few of its operations as still fail."""
    for longest in range(10):
        program = Program(SEED, number, longest)
        try:
            examine(program)
        except Exception:
            return program
    return Program(SEED, number)


def test_second_derivatives_of_random_graphs(count):
    """The gradient of every eighth graph has the right derivative as well."""
    numbers = range(0, GRAPHS, 8)
    for number in numbers:
        program = Program(SEED, number)
        check_gradients(program, *program.inputs, entries=0, directions=1, order=2, seed=number)
    count("random graphs, second derivative", len(numbers))


def test_random_graphs_are_what_they_promise():
    """The same number is the same graph; another is another; they use many operations and many shapes."""
    programs = [Program(SEED, number) for number in range(300)]
    assert str(Program(SEED, 7)) == str(Program(SEED, 7)) != str(Program(SEED, 8)).replace("graph 8", "graph 7")
    assert len({name.split()[0] for program in programs for name, _, _ in program.steps}) > 40
    assert len({x.shape for program in programs for x in program.inputs}) > 30
    assert any(x.size == 0 for program in programs for x in program.inputs)


def test_a_shuffled_order_is_another_topological_order():
    """`any_order_gives_the_same` needs other orders, in each of which inputs come first."""
    x = mg.Variable(1.0)
    y = (mg.sin(x) + mg.cos(x)) * mg.exp(x) + mg.tanh(x)
    orders = {tuple(map(id, shuffled_order(np.random.default_rng(k), y))) for k in range(20)}
    assert len(orders) > 5
    for order in orders:
        place = {key: k for k, key in enumerate(order)}
        for node in mg.topological_order(y):
            assert all(place[id(x)] < place[id(node)] for x in node.inputs)
