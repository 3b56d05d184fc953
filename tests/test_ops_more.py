"""Reductions, products, padding, indexing, losses: NumPy's values, right derivatives, a sentence for a mistake."""

import itertools
import math

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops import loss, products, reduce, shape
from minigrad.ops.pad import pad
from minigrad_course.check import check_gradients
from minigrad_course.measure import measure

rng = np.random.default_rng(5)


def numbers(*sizes, dtype=np.float64):
    return rng.standard_normal(sizes).astype(dtype)


A, B = numbers(4, 5), numbers(4, 5)

# Reductions -------------------------------------------------------------------------------------------------------

REDUCTIONS = {"prod": (reduce.prod, np.prod), "var": (reduce.var, np.var), "std": (reduce.std, np.std)}
REDUCTIONS["norm"] = (reduce.norm, lambda a, axis, keepdims: np.sqrt(np.sum(a * a, axis, keepdims=keepdims)))
PLACES = [((), None), ((5,), None), ((5,), -1), ((1, 3), 0), ((2, 3, 4), 1), ((2, 3, 4), (2, 0)), ((7, 2), None)]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(("sizes", "axis"), PLACES)
def test_reductions_have_numpys_values_and_shapes(name, sizes, axis, keepdims):
    ours, numpys = REDUCTIONS[name]
    for dtype, tolerance in ((np.float32, 1e-5), (np.float64, 1e-13)):
        a = numbers(*sizes, dtype=dtype)
        result, node, wanted = (
            ours(a, axis, keepdims),
            ours(mg.Variable(a), axis, keepdims),
            numpys(a, axis=axis, keepdims=keepdims),
        )
        assert np.shape(result) == node.shape == np.shape(wanted)
        assert result.dtype == node.dtype == dtype
        np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance)
        np.testing.assert_array_equal(node.value, result)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize(("sizes", "axis"), [p for p in PLACES if p[0] not in ((), (1, 3))])  # one number has no spread
@pytest.mark.parametrize("order", [1, 2])
def test_reductions_have_right_derivatives(name, sizes, axis, order):
    check_gradients(lambda a: REDUCTIONS[name][0](a, axis), numbers(*sizes), order=order)


@pytest.mark.parametrize("zeros", [(), (0,), (1, 3), (0, 2, 4), (0, 1, 2, 3, 4)])
def test_prod_and_its_first_and_second_derivatives_are_right_where_factors_are_zero(zeros):
    a = np.array([2.0, -3.0, 0.5, 4.0, 7.0])
    a[list(zeros)] = 0
    others = [[np.prod(np.delete(a, sorted({i, j}))) for j in range(5)] for i in range(5)]
    np.testing.assert_allclose(mg.grad(reduce.prod)(a), np.diag(others), rtol=1e-14)
    np.testing.assert_allclose(mg.jvp(reduce.prod, (a,), (np.ones(5),))[1], np.trace(others), rtol=1e-14)
    np.testing.assert_allclose(mg.hessian(reduce.prod)(a), np.array(others) * (1 - np.eye(5)), rtol=1e-14)


@pytest.mark.torch
@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_prod_equals_pytorch(zeros):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    a = numbers(3, 6)
    a[:, :zeros] = 0
    theirs = torch.from_numpy(a.copy()).requires_grad_()
    (theirs.prod(1) * torch.arange(1.0, 4.0)).sum().backward()
    np.testing.assert_allclose(
        mg.grad(lambda a: mg.sum(reduce.prod(a, 1) * np.arange(1.0, 4.0)))(a), theirs.grad.numpy(), rtol=1e-13
    )


@pytest.mark.parametrize(("sizes", "axis"), [((0,), None), ((0, 3), 0), ((2, 0, 3), (0, 1))])
def test_the_product_of_no_numbers_is_one(sizes, axis):
    a = mg.Variable(np.zeros(sizes, np.float32))
    product = reduce.prod(a, axis)
    np.testing.assert_array_equal(product.value, np.prod(a.value, axis=axis))
    assert product.dtype == np.float32
    mg.sum(product).backward()
    assert a.grad.shape == sizes


@pytest.mark.torch
@pytest.mark.parametrize("ddof", [0, 1, 2])
@pytest.mark.parametrize("name", ["var", "std"])
def test_var_and_std_equal_pytorch(name, ddof):
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    theirs = torch.from_numpy(A.copy()).requires_grad_()
    value = getattr(torch, name)(theirs, 1, correction=ddof)
    value.exp().sum().backward()
    ours = REDUCTIONS[name][0]
    np.testing.assert_allclose(ours(A, 1, ddof=ddof), value.detach().numpy(), rtol=1e-13)
    result = mg.grad(lambda a: mg.sum(mg.exp(ours(a, 1, ddof=ddof))))(A)
    np.testing.assert_allclose(result, theirs.grad.numpy(), rtol=1e-12, atol=1e-14)


def test_var_keeps_its_digits_far_from_zero():
    a = np.array([4.0, 7.0, 13.0, 16.0])
    assert reduce.var(a + 1e9) == reduce.var(a) == 22.5


@pytest.mark.torch
def test_where_norm_and_std_are_zero_their_derivative_is_zero_as_in_pytorch():
    torch = pytest.importorskip("torch", reason="compares with PyTorch")
    for ours, theirs in ((reduce.norm, torch.linalg.vector_norm), (reduce.std, lambda a: torch.std(a, correction=0))):
        a = torch.zeros(3, requires_grad=True)
        theirs(a).backward()
        np.testing.assert_array_equal(mg.grad(ours)(np.zeros(3)), a.grad.numpy())
        np.testing.assert_array_equal(mg.hessian(ours)(np.zeros(3)), np.zeros((3, 3)))


def test_rows_of_zeros_do_not_disturb_the_norms_of_the_other_rows():
    a = np.array([[3.0, 4.0], [0.0, 0.0]])
    gradient = mg.grad(lambda a: mg.sum(reduce.norm(a, 1)))(a)
    np.testing.assert_allclose(gradient, [[0.6, 0.8], [0, 0]])


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


def test_max_and_sum_over_no_axes_and_over_other_axes_than_the_empty_one():
    a = numbers(2, 3)
    np.testing.assert_array_equal(reduce.max(a, ()), a)
    np.testing.assert_array_equal(reduce.sum(a, ()), a)
    assert reduce.max(np.zeros((2, 0)), 0).shape == (0,)
    assert reduce.sum(np.zeros((2, 0)), 1).tolist() == [0, 0]


# Products of vectors and matrices ---------------------------------------------------------------------------------

DOTS = [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((), (2,)), ((2, 3), ()), ((), ()),
    ((5, 2, 3), (4, 3, 2)), ((3,), (4, 3, 2)), ((5, 2, 3), (3,)), ((5, 2, 3), (3, 6)), ((2, 3), (2, 2, 3, 4)),
    ((2, 0, 3), (2, 3, 4)), ((2, 3, 0), (2, 0, 4)),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right"), DOTS)
def test_dot_and_outer_are_numpys(left, right):
    a, b = numbers(*left), numbers(*right)
    for ours, numpys in ((products.dot, np.dot), (products.outer, np.outer)):
        assert np.shape(ours(a, b)) == np.shape(numpys(a, b))
        np.testing.assert_allclose(ours(a, b), numpys(a, b), rtol=1e-13, atol=1e-13)
        check_gradients(ours, a, b, entries=6, directions=1)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((4,), (5, 4, 2)),
        ((2, 3, 4), (4,)),
        ((3, 0), (0, 2)),
        ((0, 3), (3, 2)),
    ],
)
def test_stacks_of_matrices_broadcast(left, right):
    a, b = numbers(*left), numbers(*right)
    np.testing.assert_allclose(products.matmul(a, b), np.matmul(a, b), rtol=1e-13)
    check_gradients(products.matmul, a, b, order=2, entries=8, directions=1)


# Padding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("widths", [0, 1, (1, 2), ((1, 0), (0, 2)), [[1, 1], [0, 3]]])
@pytest.mark.parametrize("value", [0, 2.5])
def test_pad_is_numpys(widths, value):
    np.testing.assert_array_equal(pad(A, widths, value), np.pad(A, widths, constant_values=value))
    check_gradients(lambda a: mg.square(pad(a, widths, value)), A, order=2, entries=6)


def test_pad_keeps_float32_and_a_frame_carries_no_derivative():
    a = mg.Variable(numbers(2, 2, dtype=np.float32))
    framed = pad(a, 1, 7.0)
    assert framed.dtype == np.float32
    weights = np.arange(16.0, dtype=np.float32).reshape(4, 4)
    mg.sum(framed * weights).backward()
    np.testing.assert_array_equal(a.grad, weights[1:-1, 1:-1])
    assert pad(numbers(0, 2), 1).shape == (2, 4)


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
def test_every_key_of_numpy_picks_the_same_and_gives_back_the_sum_of_what_it_picked(name):
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


@pytest.mark.parametrize("name", KEYS)
def test_a_graph_with_an_index_runs_again_with_new_numbers(name):
    key, x = KEYS[name], mg.Variable(A)
    graph = mg.Graph(mg.sum(mg.square(shape.index(mg.transpose(mg.transpose(x) * 1.0), key))))
    graph.backward()
    x.value = B
    graph.forward()
    graph.zero_grad()
    graph.backward()
    wanted = np.zeros_like(B)
    np.add.at(wanted, key, 2 * B[key])
    np.testing.assert_allclose(x.grad, wanted, rtol=1e-14)


def test_an_index_array_may_change_after_the_graph_was_built():
    key, x = np.array([0, 0, 1]), mg.Variable([1.0, 2.0, 3.0])
    graph = mg.Graph(mg.sum(x[key]))
    key[:] = 2
    graph.backward()
    np.testing.assert_array_equal(x.grad, [2, 1, 0])
    assert graph.forward() == 4.0


def test_picking_rows_again_allocates_no_array():
    x = mg.Variable(numbers(1000, 100))
    graph = mg.Graph(mg.sum(mg.square(x[rng.integers(0, 1000, 2000)])))
    graph.backward()
    graph.forward()
    graph.backward()
    with measure() as m:
        graph.forward()
        graph.zero_grad()
        graph.backward()
    assert m.peak_bytes < x.value.nbytes / 4


@pytest.mark.parametrize("axis", [-3, -2, -1, 0, 1, 2])
def test_stack_and_concatenate_along_any_axis(axis):
    np.testing.assert_array_equal(shape.stack([A, B], axis), np.stack([A, B], axis))
    check_gradients(lambda a, b: mg.square(shape.stack([a, b, a], axis)), A, B, entries=4)
    if -2 <= axis < 2:
        np.testing.assert_array_equal(shape.concatenate([A, B], axis), np.concatenate([A, B], axis))
        check_gradients(lambda a, b: mg.square(shape.concatenate([a, b, a], axis)), A, B, order=2, entries=4)


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
def test_binary_cross_entropy_keeps_its_digits_where_the_logits_are_right(dtype):
    for z, t in ((20.0, 1.0), (-20.0, 0.0)):  # the loss is 2.06e-9, beside which 20 must not be subtracted from 20
        result = loss.binary_cross_entropy_with_logits(np.array([z], dtype), np.array([t], dtype))
        np.testing.assert_allclose(result, np.log1p(np.exp(-20.0)), rtol=1e-6)


def test_binary_cross_entropy_at_ten_thousand():
    z, t = mg.Variable([1e4, -1e4, 1e4, -1e4]), [0.0, 1.0, 1.0, 0.0]
    value = loss.binary_cross_entropy_with_logits(z, t)
    value.backward()
    assert value.value == 5000.0
    np.testing.assert_array_equal(z.grad, [0.25, -0.25, 0, 0])


@pytest.mark.parametrize("sizes", [(), (4,), (3, 2), (2, 1, 3)])
def test_binary_cross_entropy_has_right_derivatives_by_logits_and_targets(sizes):
    check_gradients(loss.binary_cross_entropy_with_logits, numbers(*sizes), rng.random(sizes), order=1)
    check_gradients(loss.binary_cross_entropy_with_logits, numbers(*sizes), rng.random(sizes), order=2)


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


# NumPy's functions ------------------------------------------------------------------------------------------------

NUMPY = {
    "prod": lambda a, b: np.prod(a, axis=1),
    "var": lambda a, b: np.var(a, axis=0, ddof=1, keepdims=True),
    "std": lambda a, b: np.std(a),
    "norm": lambda a, b: np.linalg.norm(a),
    "norm of rows": lambda a, b: np.linalg.norm(a, 2, axis=-1),
    "pad": lambda a, b: np.pad(a, ((1, 0), (2, 1)), constant_values=3),
    "pad with a mode": lambda a, b: np.pad(a, 1, "constant"),
    "outer": lambda a, b: np.outer(a[0], b[:, 0]),
    "dot of vectors": lambda a, b: np.dot(a[0], b[1]),
    "dot of matrices": lambda a, b: np.dot(a, b.T),
    "dot with a number": lambda a, b: np.dot(a, 2.0),
    "matmul of vectors": lambda a, b: np.matmul(a[0], b[1]),
    "swapaxes": lambda a, b: np.swapaxes(a, 0, 1),
    "ravel": lambda a, b: np.ravel(a),
    "clip": lambda a, b: np.clip(a, -0.5, 0.5),
    "clip from one side": lambda a, b: np.clip(a, None, a_max=0.5),
    "amax": lambda a, b: np.amax(a, 0),
    "amin": lambda a, b: np.amin(a, axis=(0, 1)),
    "size": lambda a, b: a * np.size(b),
    "zeros_like": lambda a, b: a * np.zeros_like(b) + np.ones_like(b),
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpys_functions_work_on_nodes_and_dual_numbers(name):
    f = NUMPY[name]
    wanted = f(A, B)
    np.testing.assert_allclose(f(mg.Variable(A), mg.Variable(B)).value, wanted, rtol=1e-13)
    value, tangent = mg.jvp(f, (A, B), (B, A))
    np.testing.assert_allclose(value, wanted, rtol=1e-13)
    _, pull = mg.vjp(f, A, B)
    weights = np.ones(np.shape(wanted))
    by_a, by_b = pull(weights[()])
    np.testing.assert_allclose(np.sum(by_a * B) + np.sum(by_b * A), np.sum(tangent), rtol=1e-10, atol=1e-12)


# Mistakes ---------------------------------------------------------------------------------------------------------

X = mg.Variable(A)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: reduce.sum(X, 2), "axis 2 does not exist: there are 2 axes"),
        (lambda: reduce.sum(X, (0, -2)), "names an axis twice"),
        (lambda: reduce.var(X[0, 0], ddof=1), "var of 1 numbers with ddof=1 divides by 0"),
        (lambda: reduce.var(np.zeros((0, 2)), 0), "var of 0 numbers"),
        (lambda: reduce.max(np.zeros((0, 2)), 0), "no largest entry among none"),
        (lambda: shape.concatenate([X, X], 2), "axis 2 does not exist"),
        (lambda: shape.concatenate([X, X], -3), "axis -3 does not exist"),
        (lambda: shape.concatenate([X[0, 0], X[0, 1]]), "Try stack"),
        (lambda: shape.concatenate([X, X[:, :2]]), "All sizes but the one along axis 0 must be equal"),
        (lambda: shape.concatenate([]), "at least one input"),
        (lambda: shape.stack([]), "at least one"),
        (lambda: shape.stack([X, X], 3), "axis 3 does not exist: there are 3 axes"),
        (lambda: shape.expand_dims(X, 5), "axis 5 does not exist"),
        (lambda: shape.swapaxes(X, 0, 2), "axis 2 does not exist"),
        (lambda: shape.transpose(X, (0, 2)), "axis 2 does not exist"),
        (lambda: shape.transpose(X, (0, 0)), "each of the 2 axes once"),
        (lambda: shape.reshape(X, (-1, -1)), "one size that is -1, not several"),
        (lambda: shape.reshape(X, (3, 7)), "20 entries do not fill the shape"),
        (
            lambda: products.matmul(numbers(2, 3, 4), mg.Variable(numbers(3, 4, 5))),
            r"must broadcast, here \(2,\) and \(3,\)",
        ),
        (lambda: products.dot(mg.Variable(numbers(2, 3)), numbers(2, 4, 2)), "must have one size"),
        (lambda: products.dot(X, X), "inner sizes must be equal, here 5 and 4"),
        (lambda: pad(X, -1), "an int of at least 0"),
        (lambda: pad(X, ((1, 1), (1, 1), (1, 1))), "one pair for each of the 2 axes"),
        (lambda: pad(X, 0.5), "got 0.5"),
        (lambda: loss.binary_cross_entropy_with_logits(X, A[0]), r"got \(4, 5\) logits, \(5,\) targets"),
        (lambda: loss.binary_cross_entropy_with_logits(np.zeros((0, 2)), np.zeros((0, 2))), "of no numbers"),
        (lambda: loss.softmax_cross_entropy(X, np.zeros(4)), "float64 labels"),
    ],
)
def test_a_mistake_gets_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: np.sum(X, initial=1.0), "np.sum with initial= does not work on a Variable"),
        (lambda: np.linalg.cond(X), "singular values"),
        (lambda: np.pad(X, 1, mode="mean"), "constant_values=a number"),
        (lambda: np.pad(X, 1, constant_values=(1, 2)), "constant_values=a number"),
        (lambda: loss.softmax_cross_entropy(A.astype(complex), np.zeros(4, int)), "not in complex128"),
    ],
)
def test_what_numpy_can_and_minigrad_cannot_is_said(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_labels_and_logits_are_told_apart_in_the_sentence():
    for labels, words in ((np.array([0, 1, 2, 5]), "from 0 to 4"), (np.array([0, 1, 2, -1]), "from 0 to 4")):
        with pytest.raises(ValueError, match=words):
            loss.softmax_cross_entropy(X, labels)


def test_rerun_of_all_these_operations_equals_a_new_graph():
    def everything(a, b):
        parts = [f(a, b) for f in NUMPY.values()]
        parts += [loss.binary_cross_entropy_with_logits(a, np.abs(np.sin(B))), reduce.prod(b), mg.logsumexp(a, 0)]
        return list(itertools.chain(parts))

    x, y = mg.Variable(A), mg.Variable(B)
    outputs = everything(x, y)
    graph = mg.Graph(*outputs)
    x.value, y.value = B, A
    graph.forward()
    for again, fresh in zip(outputs, everything(mg.Variable(B), mg.Variable(A)), strict=True):
        np.testing.assert_array_equal(again.value, fresh.value)


# Rows that are picked by a node ----------------------------------------------------------------------------------


TABLE = numbers(5, 3)
WORDS = [np.array([0, 4, 4]), np.array([[2, -1], [-5, 2]]), np.array(3), np.zeros((0, 2), int), np.array([1], np.uint8)]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: f"{words.dtype}{words.shape}")
def test_a_node_of_integers_picks_rows_anew_in_each_run(words):
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


def test_take_is_numpys():
    x = numbers(2, 3, 4)
    for indices in ([1, 0, 1], [[-1, 0]], 1):
        for axis in (0, 1, -1, None):
            want = np.take(x, indices, axis)
            node = np.take(mg.Variable(x), indices, axis=axis)
            np.testing.assert_array_equal(node.value, want)
            if axis is not None:
                np.testing.assert_array_equal(mg.take(x, indices, axis), want)
            value, tangent = mg.jvp(lambda x, k=indices, axis=axis: np.take(x, k, axis), x, np.cos(x))
            np.testing.assert_array_equal(value, want)
            np.testing.assert_array_equal(tangent, np.take(np.cos(x), indices, axis))


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


def test_a_compiled_program_refuses_a_row_that_the_table_does_not_have():
    table, x = mg.Variable(TABLE), mg.Constant(np.array([0, 1]))
    program = mg.compile_graph(mg.sum(table[x]), [table, x])
    for word in (5, -6):
        with pytest.raises(IndexError, match=f"There is no row {word} in a table of 5 rows"):
            program(TABLE, np.array([0, word]))


def test_rows_picked_again_allocate_nothing():
    table, x = mg.Variable(numbers(100, 50)), mg.Constant(np.arange(90))
    graph = mg.Graph(mg.sum(table[x] * table[x]))
    graph.backward()
    graph.forward()
    graph.backward()
    with measure() as m:
        graph.forward()
        graph.backward()
    assert m.peak_bytes < 90 * 50 * 8


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


def test_min_shares_the_derivative_among_ties_in_both_ways_of_finding_it():
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


def test_a_label_at_a_logit_of_minus_infinity_costs_infinity():
    """And its slope still says what to do. Such a class at another row costs nothing."""
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


def test_an_array_of_one_number_is_a_key_as_in_numpy_in_every_mode():
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
