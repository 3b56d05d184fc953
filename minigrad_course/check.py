"""Check a derivative by computing it in other ways.

`check_gradients(f, x)` differentiates f in up to five ways: reverse mode, forward mode, finite differences, the complex
step where f allows it, and float32 against float64. They share little code, so a mistake in one shows against the
others. The tolerances are below, beside their names.
"""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike, Tree
from minigrad.core.dual import jvp
from minigrad.core.errors import unmasked
from minigrad.core.functional import vjp
from minigrad.core.graph import Node, Variable, adjoints, topological_order
from minigrad.core.tree import flatten
from minigrad.ops.shape import dtype_of

# Allowed differences of two derivatives, relative to 1 + sum |g d|: g the gradient, d the direction.
FINITE = 1e-7  # any mode against finite differences
COMPLEX = 1e-10  # any mode against the complex step
EXACT = 1e-12  # forward mode against reverse mode
SINGLE = 1e-5  # float32 against float64

_NOT_ANALYTIC = {"abs", "sign"}  # NumPy defines different functions of these names for complex numbers


class GradientError(AssertionError):
    """Two ways to the same derivative disagree.

    input: the argument, such as "argument 0" or "argument 1['w']"; entry: the index in it, or None for a random
    direction through all inputs; expected, got: the two numbers.
    """

    def __init__(self, message: str, input: str, entry: tuple[int, ...] | None, expected: object, got: object):
        super().__init__(message)
        self.input, self.entry, self.expected, self.got = input, entry, expected, got


@dataclass(frozen=True)
class Report:
    """The largest differences, each relative to 1 + sum |g d|; None where a way does not apply."""

    finite_differences: float
    complex_step: float | None
    forward_against_reverse: float
    float32: float | None
    directions: int

    def __str__(self) -> str:
        text = f"gradients agree in {self.directions} directions; the largest differences, relative to 1 + sum |g d|:"
        for name, error, allowed in (
            ("finite differences", self.finite_differences, FINITE),
            ("forward / reverse", self.forward_against_reverse, EXACT),
            ("complex step", self.complex_step, COMPLEX),
            ("float32 / float64", self.float32, SINGLE),
        ):
            shown = "does not apply" if error is None else f"{error:.1e}   (allowed {allowed:.0e})"
            text += f"\n  {name:<20} {shown}"
        return text


def check_gradients(
    fn: Callable[..., Any], *args: Any, order: int = 1, entries: int = 64, directions: int = 2, seed: int = 0
) -> Report:
    """Compare the derivatives of fn at args, found in different ways; raise `GradientError` where two disagree.

    args: floats and float arrays, also in tuples, lists and dicts, are differentiated by; integers (labels, say) and
    everything else are passed to fn as they are. fn returns a number, an array, or several in a tuple, list or dict,
    and must work on NumPy arrays as well as on nodes and dual numbers.
    order: 2 checks the gradient of the gradient. entries: the number of single entries of the inputs to check, chosen
    at random if there are more; directions: the number of random directions through all inputs. seed: of both.

    Reverse and forward mode run in float64 and are compared with finite differences (FINITE: 1e-7), the complex step
    (COMPLEX) and each other (EXACT). Where an argument is float32, the float32 gradient is compared with the float64
    one (SINGLE), and must be float32. fn must be smooth at args: at a kink (relu at 0) there is no one derivative,
    and the error says so. Returns the largest differences.

    >>> report = mg.check_gradients(lambda x: mg.sum(mg.sin(x) * x), np.array([0.5, 2.0]))
    >>> report.finite_differences < 1e-7, report.forward_against_reverse < 1e-12
    (True, True)
    """
    problem = _Problem(*_of_floats(fn, args), np.random.default_rng(seed))
    for _ in range(order - 1):
        problem = problem.differentiated()
    finite = exact = 0.0
    complex_step: float | None = None
    moves = list(problem.moves(entries, directions))
    for move in moves:
        finite_error, step_error, exact_error = problem.compare(move)
        finite, exact = max(finite, finite_error), max(exact, exact_error)
        if step_error is not None:
            complex_step = max(complex_step or 0.0, step_error)
    single = problem.compare_float32() if any(x.dtype == np.float32 for x in problem.inputs) else None
    return Report(finite, complex_step, exact, single, len(moves))


@dataclass(frozen=True)
class _Move:
    """A direction in the space of all inputs, and its name in an error message."""

    arrays: list[np.ndarray]
    input: str
    entry: tuple[int, ...] | None

    def __str__(self) -> str:
        if self.entry is None:
            return f"{self.input}, in a random direction"
        return self.input if self.entry == () else f"{self.input}, entry {list(self.entry)}"


def _of_floats(
    fn: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[Callable[..., list[Any]], list[np.ndarray], list[str]]:
    """Return fn as a function of the floats among its arguments to a list of its outputs; these floats, their names."""
    leaves, build = flatten(args)
    chosen = [k for k, leaf in enumerate(leaves) if dtype_of(leaf).kind == "f"]
    if not chosen:
        raise TypeError("check_gradients: no argument holds floats to differentiate by; write 3.0 instead of 3")

    def f(*floats: ArrayLike) -> list[Any]:
        filled = list(leaves)
        for k, x in zip(chosen, floats, strict=True):
            filled[k] = x
        return flatten(fn(*build(filled)))[0]

    paths = [path for k, argument in enumerate(args) for path in _paths(argument, f"argument {k}")]
    return f, [np.asarray(unmasked(leaves[k])) for k in chosen], [paths[k] for k in chosen]


class _Problem:
    """fn as a function of a flat list of float arrays, with the random weights of its outputs and its gradient."""

    def __init__(
        self, f: Callable[..., list[Any]], inputs: list[np.ndarray], names: list[str], rng: np.random.Generator
    ):
        self.f, self.inputs, self.names, self.rng = f, inputs, names, rng
        self.point = [x.astype(np.float64) for x in inputs]
        values = self.values(self.point)
        if not values:
            raise TypeError("check_gradients: the function gives back nothing to differentiate")
        if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(values, self.values(self.point), strict=True)):
            raise ValueError(
                "check_gradients: the function gives another value when it is called again with the same numbers, so "
                "its derivative cannot be checked. Fix its random numbers, or leave out what changes"
            )
        alone = len(values) == 1 and values[0].size == 1  # then the numbers in a message are the derivative itself
        self.weights = [np.ones(values[0].shape)] if alone else [_away_from_zero(rng, x.shape) for x in values]
        self.what = "the derivative" if alone else "the derivative of the outputs, weighted at random,"
        self.reverse = self._reverse(self.point)

    def differentiated(self) -> _Problem:
        """Return the problem one order higher: its function is the weighted gradient of this one."""

        def gradient(*floats: ArrayLike) -> list[Any]:
            parts = [vjp(lambda *xs, k=k: self.f(*xs)[k], *floats)[1](w) for k, w in enumerate(self.weights)]
            return [functools.reduce(operator.add, by_input) for by_input in zip(*parts, strict=True)]

        return _Problem(gradient, self.inputs, self.names, self.rng)

    def values(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """Compute the outputs for NumPy inputs; of nodes, which come from nodes that the function holds, the values."""
        with np.errstate(all="ignore"):
            return [_array(y) for y in self.f(*(x[()] if x.ndim == 0 else x for x in arrays))]

    def _reverse(self, point: list[np.ndarray]) -> list[np.ndarray]:
        """Compute the gradient of the weighted outputs in reverse mode: one array for each input."""
        variables = [Variable(x) for x in point]
        gradient: list[Any] = [None] * len(variables)
        with np.errstate(all="ignore"):
            outputs = [(y, w) for y, w in zip(self.f(*variables), self.weights, strict=True) if isinstance(y, Node)]
            nodes = topological_order(*(output for output, _ in outputs))
            self.analytic = not any(node.op is not None and node.op.name in _NOT_ANALYTIC for node in nodes)
            for output, weight in outputs:
                for k, part in enumerate(adjoints(output, variables, weight)):
                    gradient[k] = part._value if gradient[k] is None else gradient[k] + part._value
        gradient = [np.zeros_like(x) if g is None else np.asarray(g) for x, g in zip(point, gradient, strict=True)]
        for x, g, name in zip(point, gradient, self.names, strict=True):
            if (g.shape, g.dtype) != (x.shape, x.dtype):
                problem = f"{name} has shape {x.shape} and dtype {x.dtype}, and its gradient {g.shape} and {g.dtype}"
                raise GradientError(problem, name, None, (x.shape, x.dtype), (g.shape, g.dtype))
        return gradient

    def moves(self, entries: int, directions: int) -> Iterator[_Move]:
        """Yield single entries of the inputs first, because they name the place; then random directions."""
        places = [(k, entry) for k, x in enumerate(self.point) for entry in np.ndindex(x.shape)]
        if len(places) > entries:
            places = [places[i] for i in sorted(self.rng.choice(len(places), entries, replace=False))]
        for k, entry in places:
            arrays = [np.zeros_like(x) for x in self.point]
            arrays[k][entry] = 1.0
            yield _Move(arrays, self.names[k], entry)
        for _ in range(directions):
            yield _Move([_away_from_zero(self.rng, x.shape) for x in self.point], " and ".join(self.names), None)

    def compare(self, move: _Move) -> tuple[float, float | None, float]:
        """Return the differences in one direction: by finite differences, the complex step, forward against reverse."""
        terms = [g * d for g, d in zip(self.reverse, move.arrays, strict=True)]
        reverse, scale = _sum(terms), 1.0 + _sum(np.abs(t) for t in terms)
        forward, weights = self._forward(self.point, move), _flat(self.weights)

        def against(allowed: float, other: str, slopes: np.ndarray) -> float:
            got = self._demand(allowed, "reverse mode", reverse, other, float(np.sum(weights * slopes)), scale, move)
            return max(got, self._demand_all(allowed, "forward mode", forward, other, slopes, move))

        slope, uncertain = finite_difference(lambda t: self._moved(move, t))
        finite, step, step_error = against(FINITE, "finite differences", slope), self._complex(move), None
        if step is not None and np.all(np.abs(step - slope) <= FINITE * (1 + np.abs(slope)) + 10 * uncertain):
            step_error = against(COMPLEX, "the complex step", step)
        weighted = weights * forward
        scale += float(np.sum(np.abs(weighted)))
        exact = self._demand(EXACT, "reverse mode", reverse, "forward mode", float(np.sum(weighted)), scale, move)
        return finite, step_error, exact

    def _forward(self, point: list[np.ndarray], move: _Move) -> np.ndarray:
        """Compute the tangents of all outputs, in one flat array, by forward mode."""
        with np.errstate(all="ignore"):
            return _flat([_array(t) for t in jvp(self.f, tuple(point), tuple(move.arrays))[1]])

    def _moved(self, move: _Move, t: complex) -> np.ndarray:
        """All outputs in one flat array, at the point plus t times the direction."""
        return _flat(self.values([x + t * d for x, d in zip(self.point, move.arrays, strict=True)]))

    def _complex(self, move: _Move) -> np.ndarray | None:
        """Return the imaginary part of the outputs after a step of 1e-30 i, divided by 1e-30.

        Nothing is subtracted, so nothing is lost: exact to the last digits, where fn is analytic and NumPy has all of
        it for complex numbers. None where a function is not, refuses, or drops the imaginary part. Any other misuse
        shows against finite differences, and then `compare` ignores the step.
        """
        if not self.analytic:
            return None
        tiny = 1e-30
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                moved = self._moved(move, 1j * tiny)
        except (TypeError, ValueError, Warning):
            return None
        return moved.imag / tiny if moved.dtype.kind == "c" else None

    def compare_float32(self) -> float:
        """Return the difference of the derivatives in the given dtypes and in float64: the gradient, and a tangent."""
        directions = [_away_from_zero(self.rng, x.shape).astype(x.dtype) for x in self.inputs]
        along = _Move(directions, " and ".join(self.names), None)
        pairs = [(self._forward(self.inputs, along), self._forward(self.point, along), along)]
        for got, expected, name in zip(self._reverse(self.inputs), self._reverse(self.point), self.names, strict=True):
            pairs.append((got, expected, _Move([], name, ())))
        return max(self._demand_all(SINGLE, "float32", got, "float64", expected, at) for got, expected, at in pairs)

    def _demand_all(
        self, allowed: float, mode: str, got: np.ndarray, other: str, expected: np.ndarray, move: _Move
    ) -> float:
        """Apply `_demand` to the worst entry of two arrays."""
        if np.size(got) == 0:
            return 0.0
        with np.errstate(invalid="ignore"):
            errors = np.abs(got - expected) / (1.0 + np.abs(expected))
        errors = np.where(_same(got, expected), 0.0, np.nan_to_num(errors, nan=np.inf))
        at = np.unravel_index(np.argmax(errors), errors.shape)
        scale = 1.0 + abs(expected[at])
        return self._demand(allowed, mode, float(got[at]), other, float(expected[at]), float(scale), move)

    def _demand(
        self, allowed: float, mode: str, got: float, other: str, expected: float, scale: float, move: _Move
    ) -> float:
        """Return the error relative to `scale`; raise GradientError if it is more than `allowed`."""
        error = 0.0 if _same(got, expected) else abs(got - expected) / scale
        if error <= allowed:
            return error
        what = self.what if mode == "reverse mode" else "the derivative of an output"
        give = "give" if other.endswith("s") else "gives"
        message = f"{what} by {move}: {mode} gives {got!r}, {other} {give} {expected!r}"
        if np.isfinite(error):
            message += f"; they differ by {error:.1e} relative to 1 + sum |g d|, and {allowed:.0e} is allowed"
        hint = self._hint(move) if other == "finite differences" else ""
        raise GradientError(message + hint, move.input, move.entry, expected, got)

    def _hint(self, move: _Move) -> str:
        """Explain how the function itself may be to blame: a kink at this very point, or noise."""
        h = 1e-6
        here, right, left = (self._moved(move, t) for t in (0.0, h, -h))
        slope, uncertain = finite_difference(lambda t: self._moved(move, t))
        with np.errstate(invalid="ignore"):
            bend = np.abs((right - here) - (here - left)) / h
        if np.any(bend > 1e-2 * (1 + np.abs(slope))):
            return ". The slopes to the left and to the right differ here: the function has a kink, so move the inputs"
        if not np.all(uncertain <= FINITE * (1 + np.abs(slope))):
            return ". Finite differences do not settle here: is the function smooth, and the input inside its domain?"
        return ""


def finite_difference(f: Callable[[float], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(f'(0), how uncertain that is), for f from a number to an array, by central differences in float64.

    (f(h) - f(-h)) / 2h is f' plus terms in h^2, h^4, ... : from several h the terms can be worked out and taken away
    (Richardson). h falls by 3 from 1/16, until the best two agree; where f is not defined at a large h, or has a kink
    there, the smaller ones are left. (Ridders, "Accurate computation of F'(x) and F'(x) F''(x)", 1982.)
    """
    best: np.ndarray = np.zeros(0)
    worst: np.ndarray = best
    previous: list[np.ndarray] = []
    for k in range(9):
        h = 3.0**-k / 16
        with np.errstate(all="ignore"):
            row = [(f(h) - f(-h)) / (2 * h)]
            for j, coarser in enumerate(previous):
                row.append(row[j] + (row[j] - coarser) / (9.0 ** (j + 1) - 1))
                error = np.maximum(np.abs(row[j + 1] - row[j]), np.abs(row[j + 1] - coarser))
                error = np.where(np.isfinite(error), error, np.inf)
                better = error < worst
                best, worst = np.where(better, row[j + 1], best), np.where(better, error, worst)
        if k == 0:
            best, worst = row[0], np.full(row[0].shape, np.inf)
        if np.all(worst <= 1e-11 * (1 + np.abs(best))):
            break
        previous = row
    return best, worst


def _array(x: ArrayLike) -> np.ndarray:
    """Return a number, an array or a node's value as an array."""
    return np.asarray(x._value if isinstance(x, Node) else x)


def _flat(arrays: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.ravel(x) for x in arrays])


def _same(a: float | np.ndarray, b: float | np.ndarray) -> bool | np.ndarray:
    """Equal, or both nan."""
    return (a == b) | (np.isnan(a) & np.isnan(b))


def _sum(arrays: Iterable[np.ndarray]) -> float:
    return float(sum(np.sum(x) for x in arrays))


def _away_from_zero(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw random numbers between 0.5 and 1.5 with random signs, none so small that an error could hide behind it."""
    return rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)


def _paths(tree: Tree, name: str) -> Iterator[str]:
    """Name each leaf of an argument, in the order of `tree.flatten`."""
    if isinstance(tree, tuple | list | dict):
        for key, branch in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _paths(branch, f"{name}[{key!r}]")
    elif tree is not None:
        yield name
