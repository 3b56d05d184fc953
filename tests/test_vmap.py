"""vmap: the function of one example as a function of many. What it gives is what a loop over the examples gives."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from campaign.operations import ENTRIES, cases

import minigrad as mg
from minigrad import nn
from minigrad.core.operation import Operation
from minigrad.ops.reduce import normalize

RNG = np.random.default_rng(0)
A = RNG.normal(size=(5, 4))
W = RNG.normal(size=(4, 3))
N = 3  # examples, where it does not matter how many


def loop(fn, *args, axes=None):
    """The reference for vmap: the function of each example by itself."""
    axes = axes or (0,) * len(args)
    (n, *_) = [len(x) for x, axis in zip(args, axes, strict=True) if axis == 0]
    return [fn(*(x if axis is None else x[k] for x, axis in zip(args, axes, strict=True))) for k in range(n)]


def numbers(x):
    return np.asarray(x.value if isinstance(x, mg.Node) else x)


def close(got, looped, computed_in=np.float64):
    """`got` equals a loop's results, but for the order of sums, and what it grows to: 8 binary digits.

    A number that the loop gave as a float of Python's does not say which dtype it had.
    """
    if isinstance(looped[0], tuple):
        assert isinstance(got, tuple)
        for part, each in zip(got, zip(*looped, strict=True), strict=True):
            close(part, each, computed_in)
        return
    got, expected = numbers(got), np.stack([numbers(x) for x in looped])
    assert got.shape == expected.shape
    if not isinstance(looped[0], float | mg.Node) or isinstance(looped[0], np.generic):
        assert got.dtype == expected.dtype
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(got, expected)
        return
    largest = float(np.max(np.abs(expected[np.isfinite(expected)]), initial=1.0))
    eps = 2.0**8 * max(np.finfo(got.dtype).eps, np.finfo(computed_in).eps)
    np.testing.assert_allclose(got, expected, rtol=eps, atol=eps * largest)


# Every operation --------------------------------------------------------------------------------------------------


def some_cases(entry):
    """Each call of an entry once, where it has numbers, the dtypes in turn; every fourth pair of shapes and loop."""
    step = 4 if len(entry.calls) > 30 and not entry.group else 5 if entry.name.startswith("scan") else 1
    wanted = {id(call): (np.float64, np.float32)[k % 2] for k, call in enumerate(entry.calls[::step])}
    for case in cases(entry):
        if wanted.get(id(case.call)) is case.dtype and all(map(np.size, case.leaves())):
            del wanted[id(case.call)]
            yield case


def attempt(case, kinds):
    """All that vmap is asked of a case: with every choice of mapped arguments, in the given kinds of functions."""
    draws = [case.leaves(shift=k) for k in range(N)]
    every = tuple(range(len(draws[0])))
    stacked = [np.stack([draw[i] for draw in draws]) for i in every]
    shape = np.shape(case.fn(*draws[0]))
    rng = np.random.default_rng(case.seed)
    weights = rng.uniform(0.5, 1.5, shape).astype(case.dtype)
    directions = tuple(rng.normal(size=np.shape(x)).astype(case.dtype) for x in draws[0])
    functions = {
        "value": case.fn,
        "gradient": mg.grad(lambda *xs: mg.sum(weights * case.fn(*xs)), every),
        "tangent": lambda *xs: mg.jvp(case.fn, xs, directions)[1],
        "pulled": lambda *xs: mg.vjp(case.fn, *xs)[1](weights),
    }
    for kind in kinds:
        for own in _choices(len(every), kind == "value", methods=case.entry.group):
            axes = tuple(0 if ours else None for ours in own)
            args = [stacked[i] if own[i] else draws[0][i] for i in every]
            close(mg.vmap(functions[kind], axes)(*args), loop(functions[kind], *args, axes=axes), case.dtype)


def _choices(count, several, methods):
    """Which arguments are mapped: every choice, or all and the first alone. An array's own method knows no examples."""
    for own in itertools.product((True, False), repeat=count):
        if any(own) and (several or all(own) or sum(own) == own[0]) and (own[0] or not methods):
            yield own


def failures_of(entry, kinds):
    for case in some_cases(entry):
        try:
            attempt(case, kinds)
        except Exception as error:
            yield f"{case}: {type(error).__name__}: {error}"


@pytest.mark.slow
@pytest.mark.turns
@pytest.mark.parametrize("name", ENTRIES)
def test_every_operation_maps_as_for_each_example(name):
    """Values and gradients of every call in the campaign's table."""
    failures = list(failures_of(ENTRIES[name], ("value", "gradient")))
    assert not failures, f"{len(failures)} cases fail, the first:\n" + failures[0]


@pytest.mark.thorough
@pytest.mark.turns
@pytest.mark.parametrize("name", ENTRIES)
def test_forward_mode_and_vjp_map_every_operation(name):
    failures = list(failures_of(ENTRIES[name], ("tangent", "pulled")))
    assert not failures, f"{len(failures)} cases fail, the first:\n" + failures[0]


# What it means ----------------------------------------------------------------------------------------------------


def test_the_function_sees_one_example():
    seen = []

    def f(x):
        seen.append((x.shape, x.ndim, x.dtype, x.size, x.T.shape, len(x)))
        return x

    mg.vmap(f)(np.ones((5, 2, 3), np.float32))
    assert seen == [((2, 3), 2, np.float32, 6, (3, 2), 2)]


def test_the_axes_of_arguments_and_results():
    b = RNG.normal(size=(4, 5))
    expected = np.stack([A[k] @ b[:, k] for k in range(5)])
    for axes in ((0, 1), [0, 1], (-2, -1)):
        np.testing.assert_allclose(mg.vmap(lambda x, y: x @ y, axes)(A, b), expected)
    np.testing.assert_array_equal(mg.vmap(lambda x: x, 1)(A), A.T)
    np.testing.assert_array_equal(mg.vmap(lambda x: x, 1, 1)(A), A)
    np.testing.assert_array_equal(mg.vmap(lambda x: x, 0, -1)(A), A.T)
    np.testing.assert_array_equal(mg.vmap(lambda x: mg.reshape(x, (2, 2)), 0, 1)(A).shape, (2, 5, 2))


def test_what_all_examples_share_has_axis_none():
    np.testing.assert_allclose(mg.vmap(lambda x, w: x @ w, (0, None))(A, W), A @ W)
    np.testing.assert_allclose(mg.vmap(lambda x, w, c: x @ w * c, (0, None, None))(A, W, 2), A @ W * 2)
    np.testing.assert_allclose(mg.vmap(lambda x: x @ W)(A), A @ W)
    scale = np.arange(5.0)
    np.testing.assert_allclose(mg.vmap(lambda x, *, scale: x * scale)(A, scale=scale), A * scale[:, None])


def test_arguments_and_results_may_be_trees():
    layer = {"w": W, "b": np.zeros(3)}
    got = mg.vmap(lambda p, x: {"y": x @ p["w"] + p["b"], "x": [x, (x, 1.0)]}, (None, 0))(layer, A)
    np.testing.assert_allclose(got["y"], A @ W)
    np.testing.assert_array_equal(got["x"][1][0], A)
    np.testing.assert_array_equal(got["x"][1][1], np.ones(5))
    pair = mg.vmap(lambda pair: pair[0] @ pair[1], ((0, None),))((A, W))
    np.testing.assert_allclose(pair, A @ W)
    mixed = mg.vmap(lambda p: p["x"] @ p["w"], ({"x": 1, "w": None},))({"w": W, "x": A.T})
    np.testing.assert_allclose(mixed, A @ W)
    first, second = mg.vmap(lambda x: (x, x @ W), 0, (1, 0))(A)
    assert (first.shape, second.shape) == ((4, 5), (5, 3))


def test_results_that_do_not_depend_on_the_examples():
    """They are copied for all, into memory of their own, or stay one with out_axes=None."""
    got, same = mg.vmap(lambda x: (3.0, W), 0, (0, None))(A)
    np.testing.assert_array_equal(got, np.full(5, 3.0))
    np.testing.assert_array_equal(same, W)
    assert not np.shares_memory(same, W)
    copied = mg.vmap(lambda x: W)(A)
    copied[0] = 7
    assert copied.shape == (5, 4, 3)
    assert not (copied[1:] == 7).any()
    assert not (W == 7).any()


def test_indexing_with_every_kind_of_key():
    x = RNG.normal(size=(N, 3, 4, 2))
    rows, mask = np.array([2, 0, 0]), np.array([True, False, True])
    keys = [0, -1, slice(None, None, 2), (Ellipsis, 0), (0, 1, 1), (None, slice(1, 3), None), rows, mask, (rows, 1)]
    keys += [(rows, slice(None), np.array([1, 0, 1])), (slice(None), rows, 0), (0, Ellipsis, [0, 1, 1])]
    keys += [(rows[:, None], rows), (Ellipsis, None), (), x[0] > 0]
    for key in keys:
        close(mg.vmap(lambda a, key=key: a[key])(x), loop(lambda a, key=key: a[key], x))


def test_places_that_differ_from_example_to_example():
    """A table for all or a table for each; places for all or for each; and what flows back into the tables."""
    table, tables = RNG.normal(size=(6, 2)), RNG.normal(size=(N, 6, 2))
    places = RNG.integers(-6, 6, (N, 3, 2))
    for axes, args in (((None, 0), (table, places)), ((0, None), (tables, places[0])), ((0, 0), (tables, places))):
        close(mg.vmap(mg.take, axes)(*args), loop(mg.take, *args, axes=axes))
        slope = mg.grad(lambda a, k: mg.sum(mg.sin(mg.take(a, k))))
        close(mg.vmap(slope, axes)(*args), loop(slope, *args, axes=axes))
    close(mg.vmap(mg.take, (None, 0))(table, places[:, 0, 0]), loop(mg.take, table, places[:, 0, 0], axes=(None, 0)))
    with pytest.raises(IndexError):
        mg.vmap(mg.take)(tables, places + 7)


def test_operations_without_a_rule_map_example_by_example():
    class Twice(Operation):
        name = "twice"

        def value(self, a, out=None):
            assert np.shape(a) == (4,)
            return np.multiply(a, 2, out=out)

        def vjp(self, i, adjoint, v, a):
            return 2 * adjoint

    np.testing.assert_array_equal(mg.vmap(Twice())(A), 2 * A)
    np.testing.assert_array_equal(mg.vmap(mg.grad(lambda x: mg.sum(Twice()(x) * x)))(A), 4 * A)
    with pytest.raises(ValueError, match="twice is computed example by example, and there are none"):
        mg.vmap(Twice())(A[:0])


def test_no_examples_give_results_of_none():
    def f(x):
        return mg.sum(mg.tanh(x @ W) ** 2)

    assert mg.vmap(f)(A[:0]).shape == (0,)
    assert mg.vmap(mg.grad(f))(A[:0]).shape == (0, 4)


def test_a_random_number_is_drawn_once_for_all():
    layer = nn.Dropout(0.5, rng=0)
    got = mg.vmap(layer)(np.ones((6, 8))).value
    assert (got == got[0]).all()
    assert set(np.unique(got)) == {0.0, 2.0}


# At once ----------------------------------------------------------------------------------------------------------

WEIGHTS = RNG.normal(size=(2, 1, 3, 2))
AT_ONCE = {
    "elementwise": lambda x: mg.tanh(x) * 2 + mg.where(x > 0, x, 0.0),
    "reductions": lambda x: mg.sum(x, 0) + mg.mean(x) + mg.max(x, 1, keepdims=True) + mg.logsumexp(x),
    "matmul": lambda x: (x @ np.ones((6, 2))) @ x[:2] + x @ x.T @ x,
    "vectors": lambda x: x[0] @ x[1] + x @ np.ones(6),
    "shapes": lambda x: mg.transpose(mg.reshape(x, (2, 3, 6)), (2, 0, 1))[..., None, 1:],
    "broadcast": lambda x: mg.broadcast_to(x[:, None], (6, 2, 6)),
    "indices": lambda x: x[[0, 0, 1]][:, [1, 2]] + x[1, 2],
    "joining": lambda x: mg.stack([mg.concatenate([x, x + 1]), np.ones((12, 6))]),
    "order": lambda x: np.sort(x) + np.cumsum(x) [:6] + np.argmax(x),
    "softmax": lambda x: mg.softmax_cross_entropy(x, np.arange(6)) + mg.sum(mg.log_softmax(x)),
    "binary": lambda x: mg.binary_cross_entropy_with_logits(x, x > 0),
    "einsum": lambda x: np.einsum("ij,jk->ik", x, x),
    "systems": lambda x: mg.linalg.solve(x @ x.T + 9 * np.eye(6), x) + mg.linalg.inv(x),
    "normalize": nn.LayerNorm(6),
    "attention": lambda x: nn.TransformerBlock(6, 2, rng=0)(x[None]),
    "pooling": lambda x: mg.max_pool2d(x[None, None], 2) + mg.avg_pool2d(x[None, None], 2),
    "images": lambda x: mg.conv2d(x[None, None], WEIGHTS, padding=1),
    "filters": lambda x: mg.conv2d(np.ones((2, 1, 8, 8)), x[None, None]),
    "both": lambda x: mg.conv2d(x[None, None], x[None, None, :3, :2], stride=2, padding=1, dilation=(1, 2)),
    "loop": lambda x: mg.scan(lambda h, row: (mg.tanh(h + row), h), x, np.zeros(6))[1],
}  # fmt: skip
ONE_BY_ONE = {"attention", "pooling", "images", "filters", "both"}


@pytest.mark.parametrize("kind", AT_ONCE)
def test_the_number_of_nodes_does_not_grow(kind):
    """Forward, back from it, and in the gradient for each example: the same operations for any number of examples, but
    for what is computed one by one. And they are right."""
    f, sizes = AT_ONCE[kind], []
    gradient = mg.grad(lambda x: mg.sum(mg.sin(f(x))))
    for n in (2, 5):
        x = mg.Variable(np.random.default_rng(n).normal(size=(n, 6, 6)))
        y, of_each = mg.vmap(f)(x), mg.vmap(gradient)(x)
        (slope,) = mg.adjoints(mg.sum(mg.sin(y)), [x])
        sizes.append((len(mg.topological_order(y, slope)), len(mg.topological_order(of_each))))
        close(y, loop(f, x.value))
        expected = loop(gradient, x.value)
        close(slope, expected)
        close(of_each, expected)
    assert (sizes[0] == sizes[1]) == (kind not in ONE_BY_ONE)


@pytest.mark.parametrize("kind", AT_ONCE)
def test_many_adjoints_are_pulled_back_together(kind):
    """One walk back with examples of adjoints, as for a Jacobian: what pulling one after the other gives."""
    f = AT_ONCE[kind]
    value, pull = mg.vjp(f, RNG.normal(size=(6, 6)))
    adjoints = RNG.normal(size=(N, *np.shape(value)))
    close(mg.vmap(pull)(adjoints), loop(pull, adjoints))


def test_a_matrix_shared_by_all_is_multiplied_once():
    """Vectors times one matrix are one product of matrices, and not one for each."""
    x = mg.Variable(A)
    for f in (lambda x: x @ W, lambda x: W.T @ x):
        products = [
            node for node in mg.topological_order(mg.vmap(f)(x)) if node.op is not None and node.op.name == "matmul"
        ]
        assert [node.shape for node in products] == [(5, 3)]


# Nesting ----------------------------------------------------------------------------------------------------------


def energy(x):
    return mg.sum(mg.tanh(x @ W) ** 2) * mg.sum(mg.sin(x))


def layer(x):
    return mg.tanh(x @ W) * x[0]


D = RNG.normal(size=4)
DERIVATIVES = {
    "grad": mg.grad(energy),
    "value_and_grad": mg.value_and_grad(energy),
    "grad of grad": mg.grad(lambda x: mg.sum(mg.grad(energy)(x) ** 2)),
    "jacobian": mg.jacobian(layer),
    "jacobian forward": mg.jacobian(layer, "forward"),
    "jacobian reverse": mg.jacobian(layer, "reverse"),
    "hessian": mg.hessian(energy),
    "hvp": lambda x: mg.hvp(energy, x, D),
    "hvp along the example": lambda x: mg.hvp(energy, D, x),
    "jvp": lambda x: mg.jvp(layer, x, D),
    "jvp along the example": lambda x: mg.jvp(layer, D, x),
    "vjp": lambda x: mg.vjp(layer, x)[1](np.arange(3.0))[0],
    "vjp with an example": lambda x: mg.vjp(layer, D)[1](x[:3])[0],
    "jvp of grad": lambda x: mg.jvp(mg.grad(energy), (x,), (D,))[1],
    "grad of jvp": mg.grad(lambda x: mg.sum(mg.jvp(layer, x, D)[1])),
    "jvp of vjp": lambda x: mg.jvp(lambda x: mg.vjp(layer, x)[1](x[:3])[0], x, D)[1],
    "jvp of pulling alone": lambda x: mg.jvp(lambda u: mg.vjp(layer, x)[1](u)[0], x[1:], D[1:])[1],
    "jvp of jvp": lambda x: mg.jvp(lambda x: mg.jvp(layer, x, D)[1], x, D)[1],
    "derivative": lambda x: mg.derivative(lambda t: layer(x * t), 2.0),
    "grad by what is not mapped": lambda x: mg.grad(lambda w: mg.sum(mg.tanh(x @ w)))(W),
    "grad by a number": lambda x: mg.grad(lambda t: mg.sum(layer(x * t)))(2),
    "grad that does not know the example": lambda x: mg.grad(energy)(D) * x,
    "grad of what does not depend": lambda x: mg.grad(lambda w: x[0] * 1.0)(D),
    "grad of a constant": lambda x: mg.grad(lambda w: 5.0)(D) + x,
    "perturbation confusion": lambda x: mg.derivative(lambda t: t * mg.derivative(lambda s: t + s * x, 1.0), 1.0),
    "and backwards": lambda x: mg.grad(lambda t: t * mg.grad(lambda s: t + s * x[0])(1.0))(1.0),
}  # fmt: skip


@pytest.mark.parametrize("kind", DERIVATIVES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_derivatives_inside_vmap_are_those_of_each_example(kind, dtype):
    x = A.astype(dtype)
    close(mg.vmap(DERIVATIVES[kind])(x), loop(DERIVATIVES[kind], x), dtype)


@pytest.mark.parametrize("kind", DERIVATIVES)
def test_derivatives_inside_two_vmaps(kind):
    """Two axes of examples; and two arguments with one each, added within."""
    x = RNG.normal(size=(2, N, 4))
    each = [loop(DERIVATIVES[kind], row) for row in x]
    got = mg.vmap(mg.vmap(DERIVATIVES[kind]))(x)
    for k in range(2):
        close(tuple(part[k] for part in got) if isinstance(got, tuple) else got[k], each[k])
    if kind.startswith("value"):
        return
    both = mg.vmap(lambda a: mg.vmap(lambda b: DERIVATIVES[kind](a + b))(x[0]))(x[1])
    pairs = [loop(lambda b, a=a: DERIVATIVES[kind](a + b), x[0]) for a in x[1]]
    for k, pair in enumerate(pairs):
        close(tuple(part[k] for part in both) if isinstance(both, tuple) else both[k], pair)


# Functions of an example and of all of them; `each` is vmap, or a loop over the examples.
MAPPED = {
    "layer": lambda a, x, each: layer(a),
    "grad": lambda a, x, each: mg.grad(energy)(a),
    "jvp": lambda a, x, each: mg.jvp(layer, a, D)[1],
    "hessian": lambda a, x, each: mg.hessian(energy)(a),
    "vjp": lambda a, x, each: mg.vjp(layer, a)[1](a[:3])[0],
    "outer product": lambda a, x, each: each(lambda b: a * mg.sin(b))(x),
    "unmapped": lambda a, x, each: mg.grad(lambda w: mg.sum(mg.sin(w @ a)))(x),
}


@pytest.mark.turns
@pytest.mark.parametrize("kind", MAPPED)
def test_derivatives_of_vmap(kind):
    x, direction = A[:N], RNG.normal(size=(N, 4))
    result = []
    for each in (mg.vmap, lambda g: lambda x: mg.stack([g(a) for a in x])):
        f = lambda x, each=each: each(lambda a: MAPPED[kind](a, x, each))(x)  # noqa: E731
        weighted = lambda x, f=f: mg.sum(mg.sin(f(x)))  # noqa: E731
        value, tangent = mg.jvp(f, x, direction)
        pulled = mg.vjp(f, x)[1](np.cos(value))[0]
        result.append((value, tangent, pulled, mg.grad(weighted)(x), mg.hvp(weighted, x, direction), mg.jacobian(f)(x)))
    for got, expected in zip(*result, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


def test_transformations_and_a_moving_closure_nest():
    """A gradient inside vmap inside forward mode, by an argument that the outer one moves; and four levels."""
    move = RNG.normal(size=W.shape)

    def each(w, x):
        return mg.grad(lambda v: mg.sum(mg.tanh(x @ v) * mg.sin(w)[0]))(w)

    got = mg.jvp(lambda w: mg.vmap(lambda x: each(w, x))(A), W, move)
    expected = mg.jvp(lambda w: mg.stack([each(w, x) for x in A]), W, move)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-14)

    def inner(x):
        slopes = lambda x: mg.vmap(lambda c: mg.grad(lambda y: mg.sum(mg.sin(y * c)) * c[0])(x))(A)  # noqa: E731
        return mg.jvp(slopes, x, D)[1]

    close(mg.vmap(inner)(A), loop(inner, A))


# In every mode ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_graphs_with_vmap_run_again_and_compiled(dtype):
    """The gradient for each example, its squares, and what flows back from them: with other numbers, the same."""
    each = mg.grad(lambda w, x: mg.sum(mg.tanh(x @ w) ** 2))

    def f(w, x):
        return mg.sum(mg.square(mg.vmap(each, (None, 0))(w, x)))

    w, x = mg.Variable(W.astype(dtype), name="w"), mg.Constant(A.astype(dtype), name="x")
    output = f(w, x)
    (slope,) = mg.adjoints(output, [w])
    program = mg.compile_graph([output, slope], [w, x])
    graph = mg.Graph(output, slope)
    other, others = (W / 2).astype(dtype), (A + 1).astype(dtype)
    w.value, x.value = other, others
    graph.forward()
    expected = mg.value_and_grad(f)(other, others)
    for value, by_w in ((output.value, slope.value), program(other, others)):
        close(np.asarray([value]), [expected[0]], dtype)
        close(by_w[None], [expected[1]], dtype)


class Mapped(nn.Module):
    """A network written for one example."""

    def __init__(self):
        self.first, self.second = nn.Linear(4, 6, rng=0), nn.Linear(6, 3, rng=1)

    def one(self, x):
        return self.second(mg.tanh(self.first(x)))

    def forward(self, x):
        return mg.vmap(self.one)(x)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_network_for_one_example_trains(compiled):
    """Exactly as the same network for a batch does, but for rounding."""
    labels = RNG.integers(0, 3, 40)
    x = (RNG.normal(size=(40, 4)) + labels[:, None]).astype(np.float32)
    data = SimpleNamespace(train_x=x, train_y=labels, test_x=x, test_y=labels)
    losses = []
    for model in (Mapped(), Mapped()):
        if losses:
            model.forward = model.one
        history = mg.fit(model, data, 3, 16, mg.optim.SGD(0.1), rng=0, compiled=compiled, progress=False)
        losses.append([epoch.train_loss for epoch in history.epochs])
    np.testing.assert_allclose(*losses, rtol=2.0**8 * np.finfo(np.float32).eps)


# Errors -----------------------------------------------------------------------------------------------------------


def refused(kind, words, f, *args, axes=0, out=0):
    with pytest.raises(kind) as caught:
        mg.vmap(f, axes, out)(*args)
    assert words in str(caught.value)


def test_what_cannot_be_mapped_is_said():
    words = "argument 0 of shape (5, 4) has 5 along axis 0, and argument 1 of shape (4, 3) has 4"
    refused(ValueError, words, mg.matmul, A, W)
    refused(ValueError, "along axis 2 of argument 0, which is of shape (5, 4)", mg.sin, A, axes=2)
    refused(ValueError, "along axis 0 of argument 1, which is a single number", mg.mul, A, 2.0)
    refused(ValueError, "nothing to map over", mg.sin, A, axes=None)
    refused(ValueError, "nothing to map over", lambda: 1.0)
    refused(ValueError, "in_axes=(0, 1) does not fit 1 of them", mg.sin, A, axes=(0, 1))
    refused(ValueError, "out_axes=(0, 0) does not fit an Example", mg.sin, A, out=(0, 0))
    refused(ValueError, "out_axes=3 asks for an axis", mg.sin, A, out=3)
    refused(ValueError, "out_axes is None for a result of shape (4,) that differs", mg.sin, A, out=None)
    refused(TypeError, "gives numbers and arrays", lambda x: "text", A)
    refused(TypeError, "gives numbers and arrays", lambda x: mg.sin, A)
    with pytest.raises(TypeError, match=r"vmap needs a function, got an ndarray"):
        mg.vmap(A)


def test_python_cannot_decide_by_an_example():
    for decides in (
        lambda x: x if x[0] > 0 else -x, lambda x: x if x[0] == 0 else -x, lambda x: max(x[0], x[1]),
        mg.grad(lambda x: x[0] if x[0] > 0 else x[1]), lambda x: mg.jvp(lambda x: x if x[0] > 0 else -x, x, D)[1],
    ):  # fmt: skip
        refused(TypeError, "Use mg.where(condition, a, b)", decides, A)
    for look in (float, int, np.asarray, lambda x: x.value, lambda x: x.item(), lambda x: A[x], lambda x: range(x)):
        refused(TypeError, "stands for 5 examples", lambda x, look=look: look(x[0]), A)
    refused(TypeError, "cannot be changed in place", lambda x: x.__setitem__(0, 1.0), A)
    refused(TypeError, "made of an example by hand", lambda x: (mg.Dual(x, 1.0) * x).tangent, A)


def test_a_refusal_names_the_shapes_of_one_example():
    words = "matmul cannot take float64 of shape (1, 4) and float64 of shape (3, 2)"
    refused(ValueError, words, lambda x: x[None] @ np.ones((3, 2)), A)
    refused(ValueError, "add cannot take float64 of shape (4,) and float64 of shape (5,)", lambda x: x + np.ones(5), A)
    refused(IndexError, "index cannot take float64 of shape (4,)", lambda x: x[4], A)
    refused(ValueError, "fill the shape (5,)", lambda x: mg.reshape(x, (5,)), A)
    refused(ValueError, "All sizes but the one along axis 0", lambda x: mg.concatenate([x, np.ones((2, 2))]), A)
    refused(ValueError, "one number as its value, got shape (4,)", mg.grad(mg.sin), A)
    refused(ValueError, "images", lambda x: mg.conv2d(x[None], x[None]), A)


def test_an_impossible_label_is_refused_in_every_example():
    logits, labels = RNG.normal(size=(N, 2, 4)), np.array([[0, 1], [3, 2], [2, 2]])
    for wrong in (4, -1):
        labels[1, 1] = wrong
        refused(ValueError, f"The label in row 1 is {wrong}", mg.softmax_cross_entropy, logits, labels)
    labels[1, 1] = 0
    nodes = mg.Variable(logits), mg.Constant(labels)
    program = mg.compile_graph([mg.vmap(mg.softmax_cross_entropy)(*nodes)], nodes)
    labels[1, 1] = -1
    with pytest.raises(IndexError):
        program(logits, labels)


def test_the_examples_axis_is_never_one_of_theirs():
    """An error for one example is an error for many, even if the additional axis would make it fit."""
    for f in (
        lambda x: normalize(x, 2), lambda x: mg.sum(x, 1), lambda x: x[:, 0], mg.linalg.inv,
        lambda x: np.cumsum(x, 1), lambda x: np.sort(x, -2), lambda x: x @ x[None, None],
        lambda x: mg.transpose(x, (1, 0)), lambda x: mg.broadcast_to(x, (5,)), lambda x: np.swapaxes(x, 0, 1),
        lambda x: mg.take(x, 0, 1), lambda x: np.einsum("ij->i", x), lambda x: mg.mean(x, (0, 1)),
    ):  # fmt: skip
        with pytest.raises((ValueError, IndexError)):
            f(A[0])
        with pytest.raises((ValueError, IndexError)):
            mg.vmap(f)(A[:4])
