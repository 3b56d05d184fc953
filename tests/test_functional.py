"""Derivatives of functions: grad, vjp, jacobian, hessian, hvp; of trees of arguments, and nested in any order."""

import itertools
import math
from collections import namedtuple

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.operation import Operation
from minigrad.core.tree import flatten

RNG = np.random.default_rng(0)
A = RNG.normal(size=(3, 4))
X = RNG.normal(size=4)


def rosenbrock(x):
    return mg.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


# grad and value_and_grad -----------------------------------------------------------------------------------------


def test_grad_keeps_the_arguments_shape_and_dtype():
    assert mg.grad(lambda x: x * x)(3.0) == 6.0
    assert isinstance(mg.grad(lambda x: x * x)(3), float)
    gradient = mg.grad(lambda x: mg.sum(x * x))(A.astype(np.float32))
    assert isinstance(gradient, np.ndarray)
    assert (gradient.shape, gradient.dtype) == ((3, 4), np.float32)


def test_argnums_choose_what_is_differentiated_by():
    """And options by name are handed on."""

    def f(a, b, c, *, power=2):
        return a * b + c * b**power

    at = (2.0, 3.0, 5.0)
    assert mg.grad(f)(*at) == 3.0
    assert mg.grad(f, 1)(*at) == 2 + 30.0
    assert mg.grad(f, -1)(*at) == 9.0
    assert mg.grad(f, -1)(*at, power=3) == 27.0
    assert mg.grad(f, (1, 0))(*at) == (32.0, 3.0)
    assert mg.value_and_grad(f, (0,))(*at) == (51.0, (3.0,))


def test_arguments_may_be_trees():
    """The gradient has the tuples, lists, dicts and named tuples of the argument; None stays None."""
    Layer = namedtuple("Layer", "w b")

    def f(p, scale):
        return mg.sum(p["layers"][0].w @ X + p["layers"][0].b) * scale + p["rest"][0] ** 2

    p = {"layers": [Layer(A, np.zeros(3))], "rest": (3.0, None)}
    gradient = mg.grad(f)(p, 2.0)
    np.testing.assert_allclose(gradient["layers"][0].w, np.tile(2 * X, (3, 1)))
    np.testing.assert_allclose(gradient["layers"][0].b, [2.0] * 3)
    assert gradient["rest"] == (6.0, None)
    assert isinstance(gradient["layers"][0], Layer)


def test_the_gradient_of_a_constant_is_zero():
    assert mg.grad(lambda x: 5.0)(2.0) == 0.0
    assert mg.grad(lambda x, y: y * 1.0, 0)(2.0, 3.0) == 0.0
    assert not mg.grad(lambda x: mg.sum(mg.Variable(A)))(X).any()
    assert mg.grad(lambda x: mg.sum(mg.cast(mg.cast(x, np.int64), np.float64)))(X).tolist() == [0.0] * 4


# vjp -------------------------------------------------------------------------------------------------------------


def test_vjp_is_a_row_vector_times_the_jacobian():
    value, pull = mg.vjp(lambda a, x: {"product": a @ x, "sum": mg.sum(x)}, A, X)
    u = RNG.normal(size=3)
    by_a, by_x = pull({"product": u, "sum": 10.0})
    np.testing.assert_allclose(value["product"], A @ X)
    np.testing.assert_allclose(by_a, np.outer(u, X))
    np.testing.assert_allclose(by_x, u @ A + 10)


def test_a_vjp_walks_back_once():
    walks = []

    class Watched(Operation):
        name = "watched"

        def value(self, a, out=None):
            return np.copy(a)

        def vjp(self, i, adjoint, v, a):
            walks.append(adjoint)
            return adjoint

    def f(x):
        y = Watched()(x)
        return [y, 2 * y, y * y, 5.0, y]

    _, pull = mg.vjp(f, 3.0)
    assert pull([1.0, 10.0, 100.0, 1000.0, 1.0]) == (1 + 20 + 600 + 1,)
    assert len(walks) == 1


# jacobian and hessian --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["forward", "reverse", None])
def test_a_linear_maps_jacobian_is_its_matrix(mode):
    """Its shape is that of the output, then that of the input."""
    np.testing.assert_allclose(mg.jacobian(lambda x: A @ x, mode)(X), A)
    np.testing.assert_allclose(mg.jacobian(lambda x: A.T @ x, mode)(X[:3]), A.T)
    assert mg.jacobian(lambda x: x * x, mode)(3.0) == 6.0
    assert mg.jacobian(lambda x: mg.sum(x, 0), mode)(A).shape == (4, 3, 4)
    assert mg.jacobian(lambda x: x * A, mode)(2.0).shape == (3, 4)
    assert mg.jacobian(mg.sum, mode)(A).shape == (3, 4)
    assert mg.jacobian(lambda x: x[:0], mode)(X).shape == (0, 4)
    assert mg.jacobian(lambda x: mg.sum(x) * X, mode)(np.ones(0)).shape == (4, 0)
    assert mg.jacobian(mg.sin, mode)(X.astype(np.float32)).dtype == np.float32
    wider = mg.jacobian(lambda x: x * np.ones(4), mode)(X.astype(np.float32))  # float64 by float32
    assert wider.dtype == np.float32


def test_the_mode_with_fewer_passes_is_chosen():
    """Forward for few inputs, reverse for few outputs: seen by what the function is called with."""
    kinds = []

    def f(x):
        kinds.append(type(x).__name__)
        return mg.sum(x) * np.ones(3)

    mg.jacobian(f)(np.ones(2))
    assert kinds.count("Dual") == 2
    kinds.clear()
    mg.jacobian(f)(np.ones(50))
    assert "Dual" not in kinds
    assert len(kinds) == 1  # the rows come from one graph


def test_the_hessian_of_rosenbrock_s_function():
    """Known in closed form at the minimum."""
    h = mg.hessian(rosenbrock)(np.ones(3))
    np.testing.assert_allclose(h, [[802, -400, 0], [-400, 1002, -400], [0, -400, 200]])
    assert mg.hessian(lambda x: x**3)(2.0) == 12.0
    assert mg.hessian(lambda x: mg.sum(x) ** 2)(A).shape == (3, 4, 3, 4)


def test_hvp_is_the_hessian_times_a_direction():
    d = RNG.normal(size=4)
    np.testing.assert_allclose(mg.hvp(rosenbrock, X, d), mg.hessian(rosenbrock)(X) @ d, rtol=1e-12)

    def f(p):
        return p["a"] ** 3 * mg.sum(p["b"] ** 2)

    product = mg.hvp(f, {"a": 2.0, "b": np.ones(2)}, {"a": 1.0, "b": np.zeros(2)})
    assert product["a"] == 6 * 2.0 * 2
    np.testing.assert_allclose(product["b"], 3 * 4 * 2 * np.ones(2))
    assert mg.hvp(lambda x: 3.0 * x, 2.0, 1.0) == 0.0
    assert not mg.hvp(lambda x: mg.sum(x) * 2, X, X).any()


# Nested, in every order --------------------------------------------------------------------------------------------


def reverse(f):
    return mg.grad(f)


def forward(f):
    return lambda x: mg.derivative(f, x)


def pulled(f):
    return lambda x: mg.vjp(f, x)[1](1.0)[0]


def pushed(f):
    return lambda x: mg.jvp(f, (x,), (1.0,))[1]


ORDERS_OF_TWO = list(itertools.product([reverse, forward, pulled, pushed], repeat=2))
ORDERS_OF_THREE = list(itertools.product([reverse, forward, pulled, pushed], repeat=3))


@pytest.mark.parametrize("modes", ORDERS_OF_THREE)
def test_three_derivatives_nested_in_any_order(modes):
    """The third derivative of exp(sin x), each time the same; and the two inner ones on the way."""
    f = expected = lambda x: mg.exp(mg.sin(x))
    x, s, c = 0.7, math.sin(0.7), math.cos(0.7)
    expected = [math.exp(s) * c, math.exp(s) * (c * c - s), math.exp(s) * (c**3 - 3 * s * c - c)]
    for mode, value in zip(modes, expected, strict=True):
        f = mode(f)
        assert f(x) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("outer", "inner"), ORDERS_OF_TWO)
def test_perturbations_are_not_confused_in_any_order(outer, inner):
    """d/dx [x · d/dy (x y²) at y = 3] = d/dx 6 x² = 12 x: the inner derivative takes x for a constant."""
    assert outer(lambda x: x * inner(lambda y: x * y * y)(3.0))(2.0) == pytest.approx(24.0)
    assert outer(lambda x: x * inner(lambda y: x + y)(1.0))(1.0) == pytest.approx(1.0)
    assert outer(lambda x: inner(lambda y: y**3)(x))(2.0) == pytest.approx(12.0)
    assert outer(lambda x: inner(lambda y: 5 * x)(x))(2.0) == 0.0


def test_a_step_of_learning_can_be_differentiated():
    """The derivative of the loss after a step of gradient descent, by the step's size: -|gradient|² at 0."""

    def after_a_step(rate):
        return rosenbrock(X - rate * mg.grad(rosenbrock)(X))

    assert mg.grad(after_a_step)(0.0) == pytest.approx(-np.sum(mg.grad(rosenbrock)(X) ** 2), rel=1e-12)


@pytest.mark.parametrize("derived", [reverse, forward])
def test_outer_variables_get_gradients_through_inner_derivatives(derived):
    """Its result is a node if it depends on an outer variable, so that an outer backward pass reaches it."""
    w, x = mg.Variable(2.0), mg.Variable(3.0)
    slope = derived(lambda x: w * x * x)(x)
    slope.backward()
    assert (slope.value, w.grad, x.grad) == (12.0, 6.0, 4.0)


# Jacobians of trees, and inside other derivatives -----------------------------------------------------------------

MODES = ("forward", "reverse", None)


@pytest.mark.parametrize("mode", MODES)
def test_a_jacobian_of_trees_has_a_block_each(mode):
    def f(p):
        return mg.sin(A) @ p["x"] * p["s"], {"total": mg.sum(p["x"]) + p["s"], "constant": 2.0}

    inner = {"x": X, "s": 3.0}
    (first, rest) = mg.jacobian(f, mode)(inner)
    np.testing.assert_allclose(first["x"], 3 * np.sin(A), rtol=1e-14)
    np.testing.assert_allclose(first["s"], np.sin(A) @ X, rtol=1e-14)
    assert rest["total"]["x"].tolist() == [1.0] * 4
    assert (rest["total"]["s"], rest["constant"]["s"]) == (1.0, 0.0)
    assert rest["constant"]["x"].tolist() == [0.0] * 4


def test_hessians_of_trees_have_a_block_each():
    def f(p):
        x, s = p
        return mg.sum(x**3) * s

    (xx, xs), (sx, ss) = mg.hessian(f)((X, 2.0))
    np.testing.assert_allclose(xx, np.diag(12 * X), rtol=1e-14)
    np.testing.assert_allclose(xs, 3 * X**2, rtol=1e-14)
    np.testing.assert_allclose(sx, 3 * X**2, rtol=1e-14)
    assert ss == 0.0


def by_jvp(f):
    return lambda x: mg.stack([mg.jvp(f, (x,), (unit,))[1] for unit in np.eye(4)])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("outer", [mg.grad, by_jvp], ids=["grad", "jvp"])
def test_jacobian_and_hessian_nest_in_other_derivatives(outer, mode):
    """The sums of third derivatives of sin(a x) and of exp(b x), by hand."""
    a = np.arange(1.0, 5.0)

    def sines(x):
        return mg.sin(a * x) * mg.sum(x)

    def jacobian_by_hand(x):
        return mg.sum(mg.cos(a * x) * a * mg.sum(x)) + 4 * mg.sum(mg.sin(a * x))

    got = outer(lambda x: mg.sum(mg.jacobian(sines, mode)(x)))(X)
    np.testing.assert_allclose(got, mg.grad(jacobian_by_hand)(X), rtol=1e-12)
    got = outer(lambda x: mg.sum(mg.hessian(lambda y: mg.exp(a @ y))(x)))(X)
    np.testing.assert_allclose(got, a.sum() ** 2 * a * np.exp(a @ X), rtol=1e-12)


@pytest.mark.parametrize("outer", MODES)
@pytest.mark.parametrize("inner", MODES)
def test_a_jacobian_of_a_jacobian(outer, inner):
    a, b = np.array([2.0, -1.0]), np.arange(1.0, 5.0)
    third = mg.jacobian(mg.jacobian(lambda x: a * (b @ x) ** 3, inner), outer)(X)
    np.testing.assert_allclose(third, 6 * (b @ X) * np.einsum("i,j,k", a, b, b), rtol=1e-12)


def test_forward_mode_goes_through_a_vjps_adjoint():
    """u -> u @ Jacobian is linear in u, so its tangent is the direction @ Jacobian."""
    _, pull = mg.vjp(lambda x: {"y": A @ x, "s": mg.sum(x * x)}, X)
    u, d = {"y": np.ones(3), "s": 2.0}, {"y": np.arange(3.0), "s": -1.0}
    (pulled,), (tangent,) = mg.jvp(pull, (u,), (d,))
    np.testing.assert_allclose(pulled, np.ones(3) @ A + 4 * X, rtol=1e-14)
    np.testing.assert_allclose(tangent, np.arange(3.0) @ A - 2 * X, rtol=1e-14)


def test_forward_mode_goes_through_a_vjp_altogether():
    """x -> u(x) @ Jacobian(x) moves by both; twice nested, by all of them. Against the formula written out."""

    def pulled(x):
        return mg.vjp(lambda z: mg.sin(z) * z, x)[1](mg.exp(x))[0]

    def by_hand(x):
        return mg.exp(x) * (mg.cos(x) * x + mg.sin(x))

    f, g = pulled, by_hand
    for mode in (forward, reverse, forward):
        f, g = mode(f), mode(g)
        assert f(0.7) == pytest.approx(g(0.7), rel=1e-12)
    # and where the adjoint is moved by an outer derivative, the argument by an inner one
    assert mg.derivative(lambda w: mg.derivative(lambda x: mg.vjp(mg.sin, x)[1](w * x)[0], 0.7), 2.0) == pytest.approx(
        np.cos(0.7) - 0.7 * np.sin(0.7)
    )
    assert mg.derivative(lambda x: mg.derivative(lambda w: mg.vjp(mg.sin, x)[1](w * x)[0], 2.0), 0.7) == pytest.approx(
        np.cos(0.7) - 0.7 * np.sin(0.7)
    )


# Whose array is it -------------------------------------------------------------------------------------------------

ELSEWHERE = np.array([3.0, 4.0, 5.0])
VALUES = {
    "the argument": lambda x: x, "a view": lambda x: x[::-1], "a transpose": mg.transpose, "a row": lambda x: x[None],
    "twice": lambda x: (x, x), "in a dict": lambda x: {"a": x, "b": mg.stop_gradient(x)}, "a sum": mg.sum,
    "another array": lambda x: [x * 2, ELSEWHERE], "a broadcast": lambda x: mg.broadcast_to(x, (2, 3)),
    "a part of another": lambda x: ELSEWHERE[:2],
}  # fmt: skip
NUMBERS = {"sum": mg.sum, "mean": mg.mean, "max": mg.max, "an entry": lambda x: x[0], "nothing": lambda x: 0 * x[1]}
OF_VALUES = {
    "jvp": lambda f, x: mg.jvp(f, (x,), (ELSEWHERE,)), "vjp": lambda f, x: mg.vjp(f, x)[0],
    "vmap": lambda f, x: mg.vmap(f)(np.stack([x, x])), "jacobian": lambda f, x: mg.jacobian(f)(x),
    "derivative": mg.derivative, "vmap for all": lambda f, x: mg.vmap(lambda _: f(x), out_axes=None)(x),
}  # fmt: skip
OF_NUMBERS = {
    "grad": lambda f, x: mg.grad(f)(x), "value_and_grad": lambda f, x: mg.value_and_grad(f)(x),
    "by two": lambda f, x: mg.grad(lambda a, b: f(a) + f(b), (0, 1))(x, x), "hessian": lambda f, x: mg.hessian(f)(x),
    "hvp": lambda f, x: mg.hvp(f, x, ELSEWHERE), "pull": lambda f, x: mg.vjp(f, x)[1](1.0),
    "vmap of grad": lambda f, x: mg.vmap(mg.grad(f))(np.stack([x, x])),
}  # fmt: skip


def test_results_are_arrays_of_their_own():
    for ways, functions in ((OF_VALUES, VALUES), (OF_NUMBERS, NUMBERS)):
        for (way, derive), (what, f) in itertools.product(ways.items(), functions.items()):
            x = np.arange(1.0, 4.0)
            arrays = [a for a in flatten(derive(f, x))[0] if isinstance(a, np.ndarray)]
            for a in arrays:
                assert a.flags.writeable, (way, what)
                assert not any(np.shares_memory(a, b) for b in (x, ELSEWHERE)), (way, what)
            assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2)), (way, what)


def test_a_value_may_be_overwritten_before_pulling():
    y, pull = mg.vjp(mg.exp, np.zeros(3))
    y *= 7
    np.testing.assert_array_equal(pull(np.ones(3))[0], 1)
