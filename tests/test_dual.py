"""Forward mode: dual numbers carry their derivative along, in any function, at any depth, in several directions."""

import numpy as np

import minigrad as mg

A = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])


# A number that carries its derivative ----------------------------------------------------------------------------


def test_a_dual_number_is_a_value():
    x = mg.Dual(3.0, 1.0)
    assert (x.value, x.tangent) == (3.0, 1.0)
    assert isinstance(x.value, float)
    assert mg.Dual(3.0).tangent == 0.0
    assert (x.shape, x.ndim, x.size, x.dtype) == ((), 0, 1, np.float64)
    arrays = np.ones(2), np.ones(2)
    x = mg.Dual(*arrays)
    for array in arrays:
        array[0] = 5.0
    assert x.value[0] == x.tangent[0] == 1.0


def test_constants_do_not_confuse_axes_with_directions():
    """The tangent of a (3, 4) input plus a (2, 3, 4) constant has the shape of the sum, whatever the sizes are."""
    for shape in ((3, 4), (4,), (), (1, 4), (3, 1)):
        value, tangent = mg.jvp(lambda x: x + np.ones((2, 3, 4)), np.ones(shape), np.full(shape, 2.0))
        assert value.shape == tangent.shape == (2, 3, 4)
        assert np.all(tangent == 2.0)
        several = (mg.Dual(np.ones(shape), np.full((5, *shape), 2.0)) + np.ones((2, 3, 4))).tangent
        assert several.shape == (5, 2, 3, 4)
        assert np.all(several == 2.0)


# derivative and jvp ----------------------------------------------------------------------------------------------


def test_derivative_of_a_function_of_one_number():
    """And at each entry of an array, from one pass."""
    assert mg.derivative(lambda x: x**2 + 3 * x, 2) == 7.0
    assert mg.derivative(lambda x: 5.0, 2.0) == 0.0
    x = np.arange(-10, 10, 0.01)
    np.testing.assert_allclose(mg.derivative(lambda x: x * x, x), 2 * x, rtol=1e-15)


def test_arguments_and_results_may_be_nested():
    """Tuples, lists and dicts, in the arguments, the tangents and the result."""
    value, tangent = mg.jvp(
        lambda p, q: {"product": p["a"] * q, "both": (p["b"][0], 7.0)},
        ({"a": 2.0, "b": [3.0]}, 5.0),
        ({"a": 1.0, "b": [10.0]}, 0.0),
    )
    assert value == {"product": 10.0, "both": (3.0, 7.0)}
    assert tangent == {"product": 5.0, "both": (10.0, 0.0)}


def test_float32_stays_float32():
    value, tangent = mg.jvp(lambda x: mg.sin(x) * 2.0, (A.astype(np.float32),), (A,))
    assert value.dtype == tangent.dtype == np.float32
    assert mg.Dual(np.float32(1.0), 0.5).tangent == 0.5
    assert (mg.Dual(np.ones(2, np.float32), 1.0) * np.ones(2)).dtype == np.float64


# Nested derivatives ----------------------------------------------------------------------------------------------


def test_a_dual_made_by_hand_is_a_constant():
    """d/dy (y² d) = 2 y d at y = 2: with d = 3 + ε it is 12 + 4ε."""
    slope = mg.derivative(lambda y: y * y * mg.Dual(3.0, 1.0), 2.0)
    assert (slope.value, slope.tangent) == (12.0, 4.0)


# Dual numbers in NumPy's functions and in Python's conditions ------------------------------------------------------


def test_an_array_on_the_left_keeps_the_dual():
    """ndarray op Dual is one dual array, not an array of dual numbers."""
    for result in (A + mg.Dual(2.0, 1.0), A * mg.Dual(2.0, 1.0), A - mg.Dual(2.0, 1.0), A / mg.Dual(2.0, 1.0)):
        assert isinstance(result, mg.Dual)
        assert result.shape == A.shape
        assert result.tangent.shape == A.shape
    assert isinstance(np.float64(3.0) * mg.Dual(2.0, 1.0), mg.Dual)
    assert isinstance(A @ mg.Dual(np.ones(3), np.ones(3)), mg.Dual)


def test_operators_of_python_and_methods_of_arrays():
    x = mg.Dual(A, np.ones_like(A))
    y = -(+x) + abs(x) - 2 * x / 4 + x**2 - x**3 + 2**x - (1 - x) + 1 / (x * x + 1)
    np.testing.assert_allclose(
        y.tangent,
        -1 + np.sign(A) - 0.5 + 2 * A - 3 * A**2 + np.log(2) * 2**A + 1 - 2 * A / (A * A + 1) ** 2,
        rtol=1e-13,
    )
    assert x.T.shape == x.reshape(3, 2).shape == x.reshape(-1, 2).shape == x.transpose(1, 0).shape == (3, 2)
    assert x.sum(0).shape == x.mean(axis=0).shape == x.max(0).shape == x.min(0).shape == x[1].shape == (3,)
    assert len(x) == 2
    assert [row.shape for row in x] == [(3,), (3,)]


def test_conditions_ask_about_the_value():
    x, y = mg.Dual(2.0, 1.0), mg.Dual(3.0, -1.0)
    assert x < y
    assert y > x
    assert x <= 2.0
    assert x >= 2
    assert x == 2.0
    assert x != y
    assert not x > 2.0
    assert bool(x)
    assert not mg.Dual(0.0, 1.0)
    np.testing.assert_array_equal(mg.Dual(A, A) > 0.3, A > 0.3)
    assert [mg.derivative(lambda x: x * x if x > 1 else 10 * x, at) for at in (3.0, 0.5)] == [6.0, 10.0]
    assert mg.derivative(lambda x: mg.derivative(lambda y: y * y * x if y > x else y, 3.0), 2.0) == 6.0


def test_what_is_independent_has_tangent_zero():
    assert mg.jvp(lambda x: (x > 1, 4.0), (2.0,), (1.0,)) == ((True, 4.0), (0.0, 0.0))
    assert mg.jvp(lambda x: np.ones(3), (2.0,), (1.0,))[1].tolist() == [0.0, 0.0, 0.0]
