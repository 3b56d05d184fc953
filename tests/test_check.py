"""check_gradients: right derivatives pass, wrong ones are caught, and the error says where and by how much."""

import math
from collections import namedtuple

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.operation import Operation
from minigrad_course.check import (
    COMPLEX,
    EXACT,
    FINITE,
    SINGLE,
    GradientError,
    Report,
    check_gradients,
    finite_difference,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 4))


class Wrong(Operation):
    """tanh with a derivative that is wrong by a factor, in one mode or both."""

    name = "wrong"

    def __init__(self, jvp=1.0, vjp=1.0):
        self.factors = {"jvp": jvp, "vjp": vjp}

    def value(self, a, out=None):
        return np.tanh(a, out=out)

    def jvp(self, i, tangent, v, a):
        return tangent * (1 - v * v) * self.factors["jvp"]

    def vjp(self, i, adjoint, v, a):
        return adjoint * (1 - v * v) * self.factors["vjp"]


# Right derivatives pass ------------------------------------------------------------------------------------------


def test_right_derivatives_pass_with_their_largest_differences():
    report = check_gradients(lambda x: mg.tanh(x) * mg.sin(x), X)
    assert isinstance(report, Report)
    assert report.finite_differences < 1e-11 < FINITE
    assert report.forward_against_reverse < 1e-15 < EXACT
    assert report.complex_step < 1e-14 < COMPLEX
    assert report.float32 is None
    assert report.directions == 12 + 2


def test_arguments_and_values_may_be_nested():
    """Integers, such as labels, and None are handed on; floats in tuples, lists and dicts are differentiated by."""
    Pair = namedtuple("Pair", "logits labels")

    def f(pair, weights, nothing):
        assert nothing is None
        return {
            "loss": mg.softmax_cross_entropy(pair.logits @ weights["w"], pair.labels),
            "norm": [mg.sum(weights["w"])],
        }

    report = check_gradients(f, Pair(X, np.array([0, 1, 1])), {"w": RNG.normal(size=(4, 2))}, None)
    assert report.finite_differences < FINITE


def test_a_network_function_holds_its_own_weights():
    """Everything that is not an argument counts as a constant, be it an array or a Variable."""
    layer = mg.nn.Linear(4, 2)
    check_gradients(lambda x: layer(x), X)


def test_constants_have_derivative_zero_and_empty_inputs_pass():
    assert check_gradients(lambda x: mg.Constant(3.0), 1.0).finite_differences == 0
    assert check_gradients(lambda x: 3.0, 1.0).finite_differences == 0
    assert check_gradients(lambda x: mg.sum(x * x), np.zeros((0, 3))).finite_differences == 0


# Wrong derivatives are caught ------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", [1.0009, 1.0005, 0.999999, 1 + 1e-8, 0.0, -1.0])
def test_a_wrong_derivative_in_both_modes_is_caught(factor):
    """PyTorch's gradcheck lets a tanh gradient pass that is wrong by 0.09 %. Here a millionth is caught."""
    op = Wrong(factor, factor)
    if abs(factor - 1) < 1e-7:  # finite differences cannot see this; the complex step can
        assert check_gradients(lambda x: Wrong()(x), X).complex_step < COMPLEX
    with pytest.raises(GradientError):
        check_gradients(lambda x: op(x), X)


def test_modes_that_differ_by_digits_are_caught():
    """By the dot-product test: 1e-10 is too small for finite differences."""
    cube = Wrong(jvp=1 + 1e-10)
    with pytest.raises(GradientError, match="forward mode"):
        check_gradients(lambda x: cube(abs(x)), X)  # abs: the complex step does not apply


def test_the_error_names_input_entry_and_both_numbers():
    with pytest.raises(GradientError) as caught:
        check_gradients(lambda p: mg.sum(p["a"]) * 2 + mg.sum(Wrong(1.5, 1.5)(p["b"])), {"a": X, "b": X[:1] * 0})
    error = caught.value
    assert isinstance(error, AssertionError)
    assert (error.input, error.entry) == ("argument 0['b']", (0, 0))
    assert error.got == pytest.approx(1.5)
    assert error.expected == pytest.approx(1.0)
    assert "the derivative by argument 0['b'], entry [0, 0]: reverse mode gives 1.5" in str(error)
    assert "finite differences give 1.0" in str(error) or "finite differences give 0.99999" in str(error)


def test_a_wrong_second_derivative_is_caught():
    class Half(Wrong):
        """Its derivative is right in value, and a constant to whoever differentiates it again."""

        def vjp(self, i, adjoint, v, a):
            return adjoint * mg.stop_gradient(1 - v * v)

        def jvp(self, i, tangent, v, a):
            return tangent * mg.stop_gradient(1 - v * v)

    check_gradients(lambda x: Half()(x), X)
    with pytest.raises(GradientError):
        check_gradients(lambda x: Half()(x), X, order=2)
    assert check_gradients(lambda x: mg.sum(mg.softmax(x) ** 2), X, order=2).finite_differences < FINITE


def test_an_imprecise_float32_derivative_is_caught():
    class Coarse(Wrong):
        def vjp(self, i, adjoint, v, a):
            return adjoint * (1 - v * v) * (1.001 if a.dtype == np.float32 else 1.0)

    check_gradients(lambda x: Coarse()(x), X)
    with pytest.raises(GradientError, match="float32 gives"):
        check_gradients(lambda x: Coarse()(x), X.astype(np.float32))


def test_float32_through_float64_keeps_a_float32_gradient():
    report = check_gradients(lambda a, b: mg.sin(a) * b, X.astype(np.float32), X)
    assert 0 < report.float32 < SINGLE


# Where the question has no answer --------------------------------------------------------------------------------


NOISE = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("f", "x", "error", "words"),
    [
        (mg.relu, 0.0, GradientError, "has a kink, so move the inputs"),
        (mg.sqrt, 0.0, GradientError, "Finite differences do not settle"),
        (lambda x: x * mg.stop_gradient(x), 3.0, GradientError, "reverse mode"),
        (lambda x: x * NOISE.normal(), 1.0, ValueError, "gives another value when it is called again"),  # as dropout
        (lambda x: None, 1.0, TypeError, "gives back nothing"),
    ],
)
def test_a_question_without_an_answer_gets_a_sentence(f, x, error, words):
    with pytest.raises(error, match=words):
        check_gradients(f, x)


# The numerical derivative itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda t: np.exp(1 + t), math.e),
        (lambda t: np.sin(50 * t), 50.0),
        (lambda t: 1 / (0.02 + t), -2500.0),  # its pole lies nearer than the largest steps
        (lambda t: np.abs(0.01 + t), 1.0),  # so does its kink
        (lambda t: np.log(0.004 + t), 250.0),  # defined only for the smaller steps
        (lambda t: 1e6 + 0.1 * t, 0.1),
    ],
)
def test_finite_differences_resolve_1e_9(f, slope):
    result, uncertain = finite_difference(lambda t: np.array([f(t)]))
    assert abs(result[0] - slope) <= 1e-9 * (1 + abs(slope))
    assert uncertain[0] <= 1e-7 * (1 + abs(slope))


def test_finite_differences_say_when_they_do_not_know():
    noise = np.random.default_rng(0)
    _, uncertain = finite_difference(lambda t: np.array([t + 1e-3 * noise.normal()]))
    assert uncertain[0] > 1e-3
    result, _ = finite_difference(lambda t: np.array([np.nan]))
    assert np.isnan(result[0])
