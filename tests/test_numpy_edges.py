"""Derivatives of NumPy's functions where the numbers are awkward, in every mode: beside nan, at 0, of few numbers.

What the functions give there, campaign/test_awkward.py compares with NumPy. Here are their derivatives, and the
sentences for what an array cannot hold.
"""

import re

import numpy as np
import pytest
from campaign import awkward
from campaign.numpy_calls import Mine, function

import minigrad as mg
from minigrad_course import mistakes

NAN = np.nan


def in_every_mode(f, x):
    """The gradient of the sum of f at x: eager, of a graph that ran before, and by forward mode."""
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        yield mg.grad(lambda x: mg.sum(f(x)))(x)
        leaf = mg.Variable(np.linspace(1, 2, x.size).reshape(x.shape))
        (slope,) = mg.adjoints(mg.sum(f(leaf)), [leaf])
        graph = mg.Graph(slope)
        leaf.value = x
        yield np.array(graph.forward())
        units = np.eye(x.size).reshape(x.size, *x.shape)
        yield np.array([mg.jvp(lambda x: mg.sum(f(x)), (x,), (unit,))[1] for unit in units]).reshape(x.shape)


OF_NUMBERS = [
    (lambda x: np.linalg.norm(x), [0.0, 0.0], [0.0, 0.0]),
    (lambda x: np.linalg.norm(x, axis=1), [[0.0, 0.0], [3.0, -4.0]], [[0.0, 0.0], [0.6, -0.8]]),
    (lambda x: np.abs(x > 0) * x, [2.0, -1.0], [1.0, 0]),
    (lambda x: (np.array([True, True]) & (x > 0)) * x, [2.0, -1.0], [1.0, 0]),
]


@pytest.mark.parametrize(("f", "x", "expected"), OF_NUMBERS)
def test_the_derivative_is_that_of_the_numbers(f, x, expected):
    """Excluded entries pass nothing on, and spoil nothing."""
    for result in in_every_mode(f, x):
        np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.thorough
def test_the_derivative_is_that_of_the_numbers_compiled():
    """All of them in one program."""
    leaves = [mg.Variable(np.linspace(1, 2, np.size(x)).reshape(np.shape(x))) for _, x, _ in OF_NUMBERS]
    with np.errstate(all="ignore"):
        total = sum(mg.sum(f(leaf)) for (f, _, _), leaf in zip(OF_NUMBERS, leaves, strict=True))
    slopes = mg.compile_graph(mg.adjoints(total, leaves), leaves)(*(np.asarray(x) for _, x, _ in OF_NUMBERS))
    for slope, (_, _, expected) in zip(slopes, OF_NUMBERS, strict=True):
        np.testing.assert_allclose(slope, expected, rtol=1e-12)


def test_forward_mode_divides_by_zero_like_numpy():
    """A number of Python's is divided by as an array would be."""
    with np.errstate(all="ignore"):
        for f, expected in ((lambda x: x / 0.0, np.inf), (lambda x: x / 0, np.inf), (lambda x: x / -0.0, -np.inf)):
            assert mg.jvp(f, (np.ones(2),), (np.ones(2),))[1].tolist() == [expected] * 2
            assert mg.grad(lambda x, f=f: mg.sum(f(x)))(np.ones(2)).tolist() == [expected] * 2


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64])
def test_the_root_of_integers_is_computed_in_float64(dtype):
    """Compiled as well, where `** 0.5` is a square root."""
    c, x = mg.Constant(np.array([7], dtype)), mg.Variable(np.ones(1))
    root = c**0.5 * x
    assert root.value == mg.compile_graph(root, [x])(np.ones(1)) == 7**0.5


def test_one_entry_of_each_row():
    """`o[np.arange(n), y]` with labels that are part of the graph: other ones are looked up in another run."""
    o, y = mg.Variable(np.arange(6.0).reshape(2, 3), name="o"), mg.Constant(np.array([2, 0]), name="y")
    picked, labels = o[np.arange(2), y], np.array([-2, 1])
    assert picked.value.tolist() == [2.0, 3.0]
    assert o[:, y].value.tolist() == o[..., y].value.tolist() == [[2.0, 0.0], [5.0, 3.0]]
    assert o[1, y].value.tolist() == [5.0, 3.0]
    (slope,) = mg.adjoints(mg.sum(picked * np.array([1.0, 10.0])), [o])
    graph, program = mg.Graph(picked, slope), mg.compile_graph([picked, slope], [o, y])
    expected = [1.0, 4.0], [[0.0, 1.0, 0.0], [0.0, 10.0, 0.0]]
    for result, want in zip(program(o.value, labels), expected, strict=True):
        assert result.tolist() == want
    y.value = labels
    graph.forward()
    assert picked.value.tolist() == expected[0]
    with pytest.raises(IndexError):
        program(o.value, np.array([0, 3]))
    with pytest.raises(IndexError):
        o[np.arange(2), mg.Constant(np.array([0, -4]))]
    with pytest.raises(TypeError, match="stands last among other integers"):
        o[y, y]
    both, rows = np.stack([o.value, o.value + 10]), np.array([2, 0])
    assert mg.vmap(lambda o, y: o[0, y])(both, rows).tolist() == [2.0, 10.0]
    assert mg.vmap(lambda o, y: o[:, y])(both, rows).tolist() == [[2.0, 5.0], [10.0, 13.0]]


# What an array cannot hold -------------------------------------------------------------------------------------------


def assign(x):
    y = np.zeros(3)
    y[0] = x
    return y


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: assign(mg.Variable(1.0)), "a Variable"),
        (lambda: assign(mg.Variable(np.ones(3))[0]), "an Operator"),
        (lambda: mg.jvp(assign, (1.0,), (1.0,)), "a Dual"),
        (lambda: mg.grad(lambda x: mg.sum(assign(x)))(1.0), "an Argument"),
    ],
)
def test_a_node_put_into_an_array_is_refused(make, kind):
    """NumPy's own error has ours as its cause, and in a notebook ours is what is told."""
    with pytest.raises(ValueError, match="array element") as caught:
        make()
    cause = str(caught.value.__cause__)
    assert re.search(rf"^{kind} was assigned to an entry of a NumPy array, .* `y\[0\] = x`.*mg\.stack", cause)
    lines = mistakes.in_words(caught.value, caught.value.__traceback__)
    assert kind in lines[0]
    assert "TypeError" in lines[0]


def test_lists_of_numbers_would_lose_the_derivative():
    for x in (mg.Variable(np.ones(2)), mg.Dual(np.ones(2), np.ones(2))):
        with pytest.raises(TypeError, match=r"tolist\(\) would lose the derivative .* \.value"):
            x.tolist()


# What is not an array, or not a whole number -------------------------------------------------------------------------


def test_lists_are_taken_as_arrays():
    """By minigrad's functions as by NumPy's: each call, on lists of numbers in the place of arrays."""
    different = []
    for _, text in awkward.calls():
        theirs, ours = function(text, np), function(text, Mine())
        for name in ("rising", "square", "int64"):
            a = awkward.INPUTS[name]
            lists = a.tolist(), np.flip(a).tolist()
            expected, result = awkward.outcome(theirs, *lists), awkward.outcome(ours, *lists)
            if isinstance(expected, Exception) or "positional arguments but" in str(result):
                continue  # mg.sum has no place for out=; np.sum of a node has
            if (
                isinstance(result, Exception)
                or len(result) != len(expected)
                or not all(map(awkward.same, result, expected))
            ):
                message = f"refused ({result}); NumPy" if isinstance(result, Exception) else str(result)
                if not any(row.covers(text, name, message) for row in awkward.DIFFERENCES):
                    different.append(f"{text} on {lists[0]}: {message} {expected}")
    assert different == []


X = mg.Variable(np.ones((2, 3)))


def test_options_that_say_nothing_are_taken():
    assert np.sum(X, where=True, out=None).value == 6
    assert np.copy(X, order="K").shape == (2, 3)
    for reduce in (np.sum, np.prod, np.max, np.argmax, np.std):
        assert reduce(X, None, keepdims=np._NoValue).shape == ()
    assert np.diff(X, 1, -1, np._NoValue, np._NoValue).shape == (2, 2)
    assert np.reshape(X, (3, 2), None).shape == (3, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.round(x, np.int64(1)), lambda x: np.var(x, ddof=np.int64(1)),
        lambda x: mg.nn.LayerNorm(3, np.float64(1e-5))(x), lambda x: mg.nn.Dropout(np.float64(0.5), 0)(x),
        lambda x: mg.nn.TransformerBlock(3, 1, 4, 0.0, np.finfo(np.float64).eps)(x[None]),
    ],
)  # fmt: skip
def test_a_setting_brings_no_dtype(call):
    assert call(mg.Variable(np.ones((2, 3), np.float32))).dtype == np.float32


@pytest.mark.parametrize(
    "call",
    [
        lambda n: mg.reshape(X, n, 3), lambda n: mg.reshape(X, (3, n)), lambda n: np.reshape(X, n),
        lambda n: mg.broadcast_to(X, (n, 2, 3)), lambda n: mg.broadcast_to(mg.Variable(1.0), n),
        lambda n: np.repeat(X, n), lambda n: np.repeat(X, [1, n], 0), lambda n: np.tile(X, n), lambda n: np.roll(X, n),
        lambda n: np.roll(X, n, 0), lambda n: np.split(X, n),
        lambda n: np.array_split(X, n), lambda n: np.diff(X, n), lambda n: np.diag(X, n),
        lambda n: np.tril(X, n), lambda n: np.triu(X, n), lambda n: np.diagonal(X, n), lambda n: np.trace(X, n),
    ],
)  # fmt: skip
def test_sizes_and_counts_are_whole_numbers(call):
    with pytest.raises(TypeError, match=r"is a whole number, got 2\.0\. int\(x\)"):
        call(2.0)


MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
LINEAR = mg.nn.Linear(3, 1)


@pytest.mark.parametrize(
    "use",
    [
        mg.Variable, mg.Constant, mg.sum, mg.mean, mg.softmax, mg.grad(mg.sum), mg.vmap(lambda x: x * 2), LINEAR,
        lambda m: mg.Variable(np.ones(3)) * m, lambda m: m * mg.Variable(np.ones(3)),
        lambda m: np.add(mg.Variable(1.0), m),
        lambda m: np.concatenate([mg.Variable(np.ones(3)), m]), lambda m: mg.Variable(np.ones(3))[m > 1],
        lambda m: mg.where(m > 1, mg.Variable(1.0), 0.0), lambda m: mg.derivative(lambda x: x * m, 2.0),
        lambda m: mg.jvp(mg.sum, (m,), (np.ones(3),)), lambda m: mg.jvp(mg.sum, (np.ones(3),), (m,)),
        lambda m: mg.hvp(lambda x: mg.sum(x * x), np.ones(3), m), lambda m: mg.scan(lambda s, x: (s + x, s), m, 0.0),
        lambda m: mg.vjp(lambda x: x * 2, np.ones(3))[1](m), lambda m: (mg.Variable(np.ones(3)) * 2).backward(m),
        lambda m: setattr(mg.Variable(np.ones(3)), "value", m), lambda m: setattr(mg.Variable(np.ones(3)), "grad", m),
        lambda m: LINEAR.load_state_dict({"weight": m[None], "bias": np.ones(1)}),
        lambda m: mg.compile_graph(mg.sum((x := mg.Variable(np.ones(3))) * 2), [x])(m),
        lambda m: mg.softmax_cross_entropy(np.zeros((3, 2)), (m > 1).astype(int)), lambda m: mg.mse(m, np.ones(3)),
        lambda m: mg.check_gradients(mg.sum, m), lambda m: mg.conv2d(m[None, None, None], np.ones((1, 1, 1, 2))),
    ],
)  # fmt: skip
def test_no_mask_is_dropped(use):
    with pytest.raises(TypeError, match=r"would lose its (mask\. x\.filled|derivative)"):
        use(MASKED)


@pytest.mark.parametrize("order", [">", "<"])
def test_arrays_of_another_byte_order_are_read(order):
    x, labels = np.arange(6.0).reshape(2, 3), np.array([0, 2])
    image = np.arange(16.0).reshape(1, 1, 4, 4)
    for size in "48":
        a, b, c = x.astype(f"{order}f{size}"), labels.astype(f"{order}i{size}"), image.astype(f"{order}f{size}")
        for f, *arguments in (
            (mg.softmax_cross_entropy, a, b), (mg.take, a, b % 2), (mg.conv2d, c, c[..., :2, :2]), (mg.gelu, a),
            (lambda x: mg.max_pool2d(x, 2), c), (mg.grad(lambda x: mg.sum(mg.max_pool2d(x, 2))), c), (mg.softmax, a),
            (lambda x: mg.scan(lambda s, row: (s + row, s), x, x[0])[0], a),
        ):  # fmt: skip
            plain = [x.astype(x.dtype.newbyteorder("=")) for x in arguments]
            np.testing.assert_array_equal(f(*arguments), f(*plain))
