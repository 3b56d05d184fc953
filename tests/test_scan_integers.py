"""Counts, conditions, labels and row numbers in a loop: as its state, its sequence, and from outside, in every mode."""

from types import SimpleNamespace

import numpy as np
import pytest

import minigrad as mg
from minigrad import nn
from minigrad.training import optim

POLICIES = ["everything", "states", 1, 2, "sqrt"]
ONCE, START = np.zeros(1), np.ones(2)
SEQUENCES = {
    "integers": (np.array([5, 7]), lambda g, m: g + m, [13.0, 13.0]),
    "unsigned": (np.array([5, 7], np.uint8), lambda g, m: g + m, [13.0, 13.0]),
    "conditions": (np.array([[True, False], [True, True]]), lambda g, m: mg.where(m, g * 2, g), [4.0, 2.0]),
    "row numbers": (np.array([1, 0]), lambda g, m: g * mg.take(np.array([2.0, 3.0]), m), [6.0, 6.0]),
}


def looped(start, sequence, change, outer="states", inner="states"):
    """A loop whose cell is a loop that reads an entry of the outer sequence."""

    def cell(s, m):
        return mg.scan(lambda g, _: (change(g, m), g), ONCE, s, inner)[0], s

    return mg.scan(cell, sequence, start, outer)[0]


@pytest.mark.turns
@pytest.mark.parametrize("kind", SEQUENCES)
@pytest.mark.parametrize("inner", POLICIES)
@pytest.mark.parametrize("outer", POLICIES)
def test_an_inner_loop_reads_the_outer_ones_entry(outer, inner, kind):
    sequence, change, expected = SEQUENCES[kind]

    def f(x):
        return looped(x, sequence, change, outer, inner)

    def unrolled(x):
        for m in sequence:
            x = change(x, m)
        return x

    np.testing.assert_array_equal(f(START), expected)
    np.testing.assert_array_equal(f(mg.Variable(START)).value, expected)
    score = {g: lambda x, g=g: mg.sum(g(x) ** 2) for g in (f, unrolled)}
    for way in (
        lambda g: mg.grad(score[g])(START),
        lambda g: mg.jvp(g, (START,), (START,))[1],
        lambda g: mg.hvp(score[g], START, START),
        lambda g: mg.grad(lambda x: mg.sum(mg.grad(score[g])(x) * x))(START),
        lambda g: mg.vmap(g)(np.stack([START, 3 * START])),
        lambda g: mg.vmap(mg.grad(score[g]))(np.stack([START, 3 * START])),
    ):
        np.testing.assert_allclose(way(f), way(unrolled), rtol=1e-14)


@pytest.mark.turns
@pytest.mark.parametrize("kind", SEQUENCES)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_compiled_and_run_again(policy, kind):
    sequence, change, expected = SEQUENCES[kind]
    x, m = mg.Variable(START), mg.Constant(sequence)
    value = looped(x, m, change, policy, policy)
    total = mg.sum(value * value)
    graph, (slope,) = mg.Graph(total), mg.adjoints(total, [x])
    program = mg.compile_graph([value, slope], [x, m])
    np.testing.assert_array_equal(program(START, sequence)[0], expected)
    other = sequence[::-1].copy() if kind != "integers" else np.array([1, 2])
    m.value = other
    fresh = mg.Variable(START)
    again = mg.sum(looped(fresh, other, change, policy, policy) ** 2)
    assert graph.forward() == again.value
    np.testing.assert_allclose(program(START, other)[1], mg.adjoints(again, [fresh])[0].value, rtol=1e-14)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_condition_in_the_state(policy):
    def f(x):
        return mg.scan(lambda s, _: ((s[0] * x, s[0] > 1), s[0]), np.zeros(3), (x, np.bool_(True)), policy)[0][0]

    assert f(1.2) == pytest.approx(1.2**4)
    first, second = 4 * 1.2**3, 12 * 1.2**2
    assert mg.grad(f)(1.2) == pytest.approx(first)
    assert mg.jvp(f, (1.2,), (1.0,))[1] == pytest.approx(first)
    np.testing.assert_allclose(mg.vmap(mg.grad(f))(np.array([1.2, 2.0])), [first, 32.0])
    assert mg.hvp(f, 1.2, 1.0) == pytest.approx(second)
    assert mg.grad(mg.grad(f))(1.2) == pytest.approx(second)
    assert mg.derivative(lambda a: mg.derivative(f, a), 1.2) == pytest.approx(second)
    x = mg.Variable(1.2)
    y = f(x)
    np.testing.assert_allclose(mg.compile_graph([y, *mg.adjoints(y, [x])])(1.2), [1.2**4, first])


@pytest.mark.parametrize("policy", POLICIES)
def test_a_cell_that_drops_what_is_differentiated(policy):
    """The new state is a plain number, and the old one was not."""

    def f(x):
        last, ys = mg.scan(lambda s, _: (np.ones(2), s * s), np.zeros(3), x, policy)
        return mg.sum(last) + mg.sum(ys)

    x = np.array([2.0, 3.0])
    np.testing.assert_array_equal(mg.grad(f)(x), 2 * x)
    np.testing.assert_array_equal(mg.vmap(mg.grad(f))(np.stack([x, x])), [2 * x, 2 * x])
    assert mg.jvp(f, (START,), (START,))[1] == 4.0
    assert mg.jvp(lambda x: mg.jvp(f, (x,), (START,))[1], (START,), (START,))[1] == 4.0


class Masked(nn.Module):
    def __init__(self):
        self.weight = mg.Variable(np.ones(2, np.float32))

    def forward(self, x):
        def cell(s, m):
            return mg.where(m, s + self.weight, s), s

        return mg.scan(cell, mg.transpose(x, (1, 0, 2)), np.zeros((x.shape[0], 2), np.float32))[0]


class Rows(nn.Module):
    """Row numbers one step after the other, and the same at every step."""

    def __init__(self):
        self.rows, self.dense = nn.Embedding(5, 2, rng=0), nn.Linear(2, 3, rng=1)

    def forward(self, x):
        def cell(s, k):
            return mg.tanh(s + self.rows(k) + self.rows(x)[:, 0]), s

        return self.dense(mg.scan(cell, mg.transpose(x), np.zeros((x.shape[0], 2), np.float32))[0])


def repeated(output, y):
    """Labels in the cell alone."""
    cell = lambda s, k: (s + nn.cross_entropy(output * k, y), s)  # noqa: E731
    return mg.scan(cell, np.ones(2, np.float32), np.float32(0))[0]


def squares(output, y):
    return mg.mean((output - y) ** 2)


draw = np.random.default_rng(0)
CHOICES, NUMBERS = draw.integers(0, 5, (10, 3)), draw.normal(size=(10, 2)).astype(np.float32)
LABELS = draw.integers(0, 3, 10)
TRAININGS = {
    "conditions": (Masked, squares, CHOICES[:, :, None] > [1, 3], NUMBERS),
    "row numbers": (Rows, nn.cross_entropy, CHOICES, LABELS),
    "labels": (lambda: nn.Linear(2, 3, rng=1), repeated, NUMBERS, LABELS),
}


def trained(name, x=None, y=None, **options):
    make, loss, own_x, own_y = TRAININGS[name]
    x, y, model = own_x if x is None else x, own_y if y is None else y, make()
    data = SimpleNamespace(train_x=x, train_y=y, test_x=x[:4], test_y=y[:4])
    mg.fit(model, data, 2, 4, optim.SGD(0.1), loss=loss, rng=0, **options)
    return model.state_dict()


@pytest.mark.parametrize("name", TRAININGS)
def test_fit_takes_what_only_a_cell_reads(name):
    eager, compiled = trained(name), trained(name, compiled=True)
    for parameter, array in eager.items():
        np.testing.assert_allclose(compiled[parameter], array, rtol=1e-5, atol=1e-6)
        assert not np.array_equal(array, TRAININGS[name][0]().state_dict()[parameter])


@pytest.mark.parametrize("compiled", [False, True])
def test_labels_out_of_range_read_alike_everywhere(compiled):
    wrong = LABELS.copy()
    wrong[9] = 77
    with pytest.raises(ValueError, match=r"The label in row 9 is 77\. Labels are integers from 0 to 2"):
        trained("labels", y=wrong, compiled=compiled)
    rows = CHOICES.copy()
    rows[7, 1] = -6
    with pytest.raises(IndexError, match=r"There is no row -6 in a table of 5 rows \(asked for in row 7"):
        trained("row numbers", x=rows, compiled=compiled)
