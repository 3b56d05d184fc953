"""Reductions, indexing, losses at their edges. (Ordinary numbers: the campaign, and its calls of NumPy's functions.)"""

import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops import loss, reduce, shape
from minigrad_course.check import check_gradients

rng = np.random.default_rng(5)


def numbers(*sizes, dtype=np.float64):
    return rng.standard_normal(sizes).astype(dtype)


A, B = numbers(4, 5), numbers(4, 5)

# Reductions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zeros", [(), (0,), (1, 3), (0, 2, 4), (0, 1, 2, 3, 4)])
def test_prod_has_derivatives_at_zero_factors(zeros):
    a = np.array([2.0, -3.0, 0.5, 4.0, 7.0])
    a[list(zeros)] = 0
    others = [[np.prod(np.delete(a, sorted({i, j}))) for j in range(5)] for i in range(5)]
    np.testing.assert_allclose(mg.grad(mg.prod)(a), np.diag(others), rtol=1e-14)
    np.testing.assert_allclose(mg.jvp(mg.prod, (a,), (np.ones(5),))[1], np.trace(others), rtol=1e-14)
    np.testing.assert_allclose(mg.hessian(np.prod)(a), np.array(others) * (1 - np.eye(5)), rtol=1e-14)


def test_var_keeps_its_digits_far_from_zero():
    a = np.array([4.0, 7.0, 13.0, 16.0])
    assert reduce.var(a + 1e9) == reduce.var(a) == 22.5


@pytest.mark.torch
def test_norm_and_std_at_zero_equal_pytorchs():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    for ours, theirs in ((reduce.norm, torch.linalg.vector_norm), (reduce.std, lambda a: torch.std(a, correction=0))):
        a = torch.zeros(3, requires_grad=True)
        theirs(a).backward()
        np.testing.assert_array_equal(mg.grad(ours)(np.zeros(3)), a.grad.numpy())
        np.testing.assert_array_equal(mg.hessian(ours)(np.zeros(3)), np.zeros((3, 3)))


@pytest.mark.torch
def test_special_values_of_logsumexp_and_max_are_pytorchs():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    a = np.array([[-np.inf, -np.inf], [1.0, -np.inf], [np.inf, 1.0], [np.nan, 1.0]])
    theirs = torch.from_numpy(a)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_array_equal(reduce.logsumexp(a, 1), torch.logsumexp(theirs, 1).numpy())
        np.testing.assert_array_equal(reduce.max(a, 1), torch.amax(theirs, 1).numpy())
        np.testing.assert_array_equal(reduce.min(a, 1), torch.amin(theirs, 1).numpy())
    np.testing.assert_array_equal(mg.grad(lambda a: mg.sum(reduce.logsumexp(a, 1)))(a[1:2]), [[1, 0]])


# Indexing ---------------------------------------------------------------------------------------------------------

KEYS = {
    "backwards": np.s_[::-1],
    "every second, backwards": np.s_[::-2, 3:0:-2],
    "last row": np.s_[-1],
    "one entry": (2, -3),
    "one entry, NumPy integers": (np.int64(2), np.int32(-3)),
    "new axes": np.s_[None, :, None],
    "the last axis": np.s_[..., 0],
    "nothing": np.s_[3:1],
    "a list with a repeated row": [0, 0, 2],
    "an array with one row under two names": np.array([1, -3, 1]),
    "an array of arrays": np.array([[0, 1], [1, 1]]),
    "a single number in an array": np.array(2),
    "pairs": (np.array([0, 1, 0]), np.array([2, 2, 2])),
    "a slice and repeated columns": (slice(None), [0, 0, 1]),
    "repeated rows as a tuple in a tuple": ((0, 0, 1),),
    "a slice backwards and repeated columns": np.s_[::-2, [1, 1]],
    "a new axis and repeated rows": (None, np.array([0, 0])),
    "arrays apart": (0, [1, 1], None),
    "broadcast arrays": (np.array([[0], [1]]), np.array([0, 0])),
    "a mask": A > 0,
    "a mask of rows": A[:, 0] > 0,
    "a mask without any": np.zeros((4, 5), bool),
    "no rows": [],
    "True": True,
    "NumPy's True": np.True_,
    "a range": range(3),
}


@pytest.mark.parametrize("name", KEYS)
def test_every_key_picks_like_numpys_and_gives_back(name):
    key = KEYS[name]
    picked = A[key]
    x = mg.Variable(A)
    y = shape.index(x, key)
    np.testing.assert_array_equal(y.value, picked)
    weights = numbers(*np.shape(picked))
    mg.sum(y * weights).backward()
    wanted = np.zeros_like(A)
    np.add.at(wanted, key, weights)
    np.testing.assert_allclose(x.grad, wanted, rtol=1e-14)
    check_gradients(lambda a: mg.square(shape.index(a, key)), A, order=2, entries=6)


def test_an_index_array_may_change():
    key, x = np.array([0, 0, 1]), mg.Variable([1.0, 2.0, 3.0])
    graph = mg.Graph(mg.sum(x[key]))
    key[:] = 2
    graph.backward()
    np.testing.assert_array_equal(x.grad, [2, 1, 0])
    assert graph.forward() == 4.0


# Binary cross-entropy ---------------------------------------------------------------------------------------------


@pytest.mark.torch
def test_binary_cross_entropy_equals_pytorch_also_far_out():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    reference = torch.nn.functional.binary_cross_entropy_with_logits
    z = np.array([0.0, 1.0, -3.0, 20.0, -20.0, 50.0, 1e4, -1e4, 1e4, -1e4])
    t = np.array([0.5, 0.2, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])
    for dtype, tolerance in ((np.float32, 1e-6), (np.float64, 1e-14)):
        for k in range(len(z)):
            logits, targets = (torch.tensor(a[k : k + 1].astype(dtype), requires_grad=True) for a in (z, t))
            wanted = reference(logits, targets)
            wanted.backward()
            x, y = mg.Variable(z[k : k + 1].astype(dtype)), mg.Variable(t[k : k + 1].astype(dtype))
            result = loss.binary_cross_entropy_with_logits(x, y)
            result.backward()
            assert result.dtype == x.grad.dtype == dtype
            np.testing.assert_allclose(result.value, wanted.item(), rtol=tolerance, atol=tolerance)
            np.testing.assert_allclose(x.grad, logits.grad.numpy(), rtol=tolerance, atol=tolerance)
            np.testing.assert_allclose(y.grad, targets.grad.numpy(), rtol=tolerance)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_binary_cross_entropy_keeps_its_digits(dtype):
    for z, t in ((20.0, 1.0), (-20.0, 0.0)):  # the loss is 2.06e-9, beside which 20 must not be subtracted from 20
        result = loss.binary_cross_entropy_with_logits(np.array([z], dtype), np.array([t], dtype))
        np.testing.assert_allclose(result, np.log1p(np.exp(-20.0)), rtol=1e-6)


def test_binary_targets_may_be_integers_or_a_condition():
    z = numbers(5, dtype=np.float32)
    wanted = loss.binary_cross_entropy_with_logits(z, np.array([0, 1, 1, 0, 1], np.float32))
    assert wanted.dtype == np.float32
    for targets in (np.array([0, 1, 1, 0, 1]), np.array([0, 1, 1, 0, 1]) == 1, [0, 1, 1, 0, 1]):
        result = loss.binary_cross_entropy_with_logits(mg.Variable(z), targets)
        assert result.dtype == np.float32
        assert result.value == wanted


def test_losses_take_lists_of_whole_numbers():
    np.testing.assert_allclose(loss.softmax_cross_entropy([[1, 2], [3, 4]], [1, 1]), np.log(1 + np.exp(-1)))
    np.testing.assert_allclose(loss.binary_cross_entropy_with_logits([0, 0], [0, 1]), np.log(2))
    assert loss.mse([1, 2], [1, 4]) == 2


# Rows that are picked by a node ----------------------------------------------------------------------------------


TABLE = numbers(5, 3)
WORDS = [np.array([0, 4, 4]), np.array([[2, -1], [-5, 2]]), np.array(3), np.zeros((0, 2), int), np.array([1], np.uint8)]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: f"{words.dtype}{words.shape}")
def test_integer_nodes_pick_rows_anew_each_run(words):
    """Eager, run again, compiled: values, and derivatives in which a row that comes twice gets both."""
    table, x = mg.Variable(TABLE, name="table"), mg.Constant(np.zeros_like(words), name="x")
    picked = table[x]
    loss = mg.sum(mg.sin(picked) * np.arange(1.0, 4.0))
    graph = mg.Graph(loss)
    graph.backward()
    program = mg.compile_graph([loss, *mg.adjoints(loss, [table])], [table, x])
    x.value = words
    graph.zero_grad()
    graph.forward()
    graph.backward()
    expected = np.zeros_like(TABLE)
    np.add.at(expected, words, np.cos(TABLE[words]) * np.arange(1.0, 4.0))
    np.testing.assert_array_equal(picked.value, TABLE[words])
    np.testing.assert_allclose(table.grad, expected, rtol=1e-14)
    value, gradient = program(TABLE, words)
    assert value == pytest.approx(loss.value)
    np.testing.assert_allclose(gradient, expected, rtol=1e-14)


class Words(mg.nn.Module):
    """Which class is a sentence of three words? Each word has a vector, which is learned."""

    def __init__(self):
        self.vectors = mg.Variable(np.random.default_rng(0).normal(size=(7, 4)).astype(np.float32))
        self.out = mg.nn.Linear(12, 3, rng=1)

    def forward(self, x):
        return self.out(mg.reshape(self.vectors[x], x.shape[0], 12))


class Sentences:
    train_x = np.random.default_rng(1).integers(0, 7, (45, 3))
    train_y = 1 * (train_x[:, 0] > 2) + (train_x[:, 2] > 4)
    test_x, test_y = train_x, train_y


@pytest.mark.parametrize("compiled", [False, True])
def test_an_embedding_learns_from_every_batch(compiled):
    """The first batch used to be built in, so that the words of the others were never looked up."""
    model, by_hand = Words(), Words()
    mg.fit(model, Sentences, 1, 10, mg.optim.SGD(0.5), rng=0, compiled=compiled)
    order = np.random.default_rng(0).permutation(45)
    for rows in (order[k : k + 10] for k in range(0, 45, 10)):
        by_hand.zero_grad()
        loss = mg.nn.cross_entropy(by_hand(mg.Constant(Sentences.train_x[rows])), Sentences.train_y[rows])
        loss.backward()
        mg.optim.SGD(0.5).step(by_hand.parameters())
    for got, want in zip(model.parameters(), by_hand.parameters(), strict=True):
        np.testing.assert_allclose(got.value, want.value, rtol=1e-4, atol=1e-6)


# Integers and conditions -----------------------------------------------------------------------------------------

SMALL = [
    np.array([0, 3], np.uint8),
    np.array([-128, 127, 5], np.int8),
    np.array([True, False]),
    np.array([200, 100, 7], np.uint8),
]
SMALL += [np.array([[3, 1], [250, 0]], np.uint16), np.array([-4, 2**40], np.int64)]


@pytest.mark.parametrize("a", SMALL, ids=lambda a: f"{a.dtype}{a.shape}")
@pytest.mark.parametrize("kind", [lambda a: a, mg.Constant], ids=["array", "node"])
def test_small_integers_neither_wrap_nor_become_half_precision(a, kind):
    """NumPy and SciPy agree with their values, in NumPy's dtype."""
    special = pytest.importorskip("scipy.special")

    def of_floats(function, *options):  # SciPy's own, before 1.16, subtract truth values
        return lambda a: function(a.astype(np.float64), *options)

    functions = [
        (mg.min, np.min), (mg.max, np.max), (mg.sum, np.sum), (mg.mean, np.mean), (mg.prod, np.prod), (mg.var, np.var),
        (mg.std, np.std), (mg.norm, np.linalg.norm), (mg.softmax, of_floats(special.softmax, -1)),
        (mg.logsumexp, of_floats(special.logsumexp)), (mg.log_softmax, of_floats(special.log_softmax, -1)),
    ]  # fmt: skip
    for ours, theirs in functions:
        got, want = ours(kind(a)), np.asarray(theirs(a))
        assert got.dtype == want.dtype, ours
        np.testing.assert_allclose(getattr(got, "value", got), want, rtol=1e-14, err_msg=ours.__name__)
    for axis in range(a.ndim):
        got = mg.min(kind(a), axis, keepdims=True)
        np.testing.assert_array_equal(getattr(got, "value", got), np.min(a, axis, keepdims=True))


def test_min_shares_the_derivative_among_ties():
    x = np.array([[1.0, 0.0, 0.0], [2.0, 2.0, 3.0]])
    for smallest in (mg.min, lambda a, axis: reduce.Min((axis,), False)(a)):
        gradient = mg.grad(lambda x, f=smallest: mg.sum(f(x, 1) * np.array([2.0, 4.0])))(x)
        np.testing.assert_array_equal(gradient, [[0.0, 1.0, 1.0], [2.0, 2.0, 0.0]])


# The logarithm of a softmax ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0.0, 1e4, -1e4, 1e6, 3e7])
def test_log_softmax_is_exact_for_large_numbers(size):
    """Against float64, from the same float32 numbers: a few roundings of numbers of the size of the result."""
    special = pytest.importorskip("scipy.special")
    rows = np.array([[0, 0, -1], [0, -0.5, 2], [-30, 0, 50]], np.float32) + np.float32(size)
    want = special.log_softmax(rows.astype(np.float64), -1)
    got = mg.log_softmax(rows)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, want, rtol=4 * np.finfo(np.float32).eps, atol=4 * np.finfo(np.float32).eps)


def test_log_softmax_of_minus_infinity():
    """A class that is ruled out has probability 0, and the others share the rest; its slope is 0."""
    rows = np.array([[0.0, -np.inf, 0.0], [-np.inf, 1e6, -np.inf]])
    half = -np.log(2.0)
    np.testing.assert_allclose(mg.log_softmax(rows), [[half, -np.inf, half], [-np.inf, 0.0, -np.inf]], rtol=1e-15)
    gradient = mg.grad(lambda x: mg.log_softmax(x)[0, 0] + mg.log_softmax(x)[1, 1])(rows)
    np.testing.assert_allclose(gradient, [[0.5, 0.0, -0.5], [0.0, 0.0, 0.0]], rtol=1e-15)


# Losses at their edges --------------------------------------------------------------------------------------------


def test_labels_at_minus_infinity_cost_infinity():
    """And its slope still says what to do. Such a class at another row costs nothing."""
    value, slope = mg.value_and_grad(lambda z: mg.softmax_cross_entropy(z, [1]))(np.array([[2e4, 0.0, 0.0]]))
    assert (value, slope.tolist()) == (20000.0, [[1.0, -1.0, 0.0]])
    logits = mg.Variable(np.array([[0.0, -np.inf], [1.0, 2.0]]))
    loss = mg.softmax_cross_entropy(logits, np.array([1, 0]))
    loss.backward()
    assert loss.value == np.inf
    assert logits.grad[0].tolist() == [0.5, -0.5]
    assert mg.softmax_cross_entropy(logits.value, np.array([0, 1])) == pytest.approx(np.log1p(np.exp(-1.0)) / 2)


def test_a_binary_cross_entropy_of_one_number():
    for z, t in ((0.3, 1.0), (np.float32(0.3), np.float32(1)), (np.array(0.3), 1), (np.array(0.3), True)):
        assert mg.binary_cross_entropy_with_logits(z, t) == pytest.approx(np.log1p(np.exp(-0.3)), rel=1e-7)
    assert mg.grad(mg.binary_cross_entropy_with_logits)(0.3, 1.0) == pytest.approx(1 / (1 + np.exp(-0.3)) - 1)


# Keys ----------------------------------------------------------------------------------------------------------------

ONE = np.array(1)
KEYS_OF_ONE_INTEGER = {
    "v[0-d]": ((3,), ONE),
    "v[0-d of uint8]": ((3,), np.array(1, np.uint8)),
    "v[negative 0-d]": ((3,), np.array(-1)),
    "v[0-d, ...]": ((3,), (ONE, ...)),
    "v[None, 0-d]": ((3,), (None, ONE)),
    "A[1, 0-d]": ((2, 3), (1, ONE)),
    "A[0-d, 0-d]": ((2, 3), (ONE, ONE)),
    "A[0-d]": ((2, 3), ONE),
    "B[0-d, :, 0-d]": ((2, 3, 4), (ONE, slice(None), ONE)),
    "B[list, 0-d]": ((2, 3, 4), ([0, 1], ONE)),
    "v[0-d condition]": ((3,), np.array(True)),
}


def test_an_array_of_one_number_is_a_key():
    places, inputs, results = {}, [], []
    for name, (size, key) in KEYS_OF_ONE_INTEGER.items():
        x = mg.Variable(np.arange(math.prod(size), dtype=float).reshape(size) + 1)
        y = x[key] * 1.0
        np.testing.assert_array_equal(y.value, x.value[key], err_msg=name)
        (slope,) = mg.adjoints(mg.sum(y * y), [x])
        expected = np.zeros(size)
        expected[key] = 2 * x.value[key]
        np.testing.assert_array_equal(slope.value, expected, err_msg=name)
        places[name], inputs, results = expected, [*inputs, x], [*results, y, slope]
    values = mg.compile_graph(results, inputs)(*[x.value for x in inputs])
    for name, result in zip(KEYS_OF_ONE_INTEGER, values[1::2], strict=True):
        np.testing.assert_array_equal(result, places[name], err_msg=name)
