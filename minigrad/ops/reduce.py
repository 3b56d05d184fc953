"""Operations that make many numbers fewer: sum, mean, max, var, norm, and the stable ones that softmax needs.

Only sum, max and min have a derivative of their own. The others are written with operations that have one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike, Lowering, Node, Value
from minigrad.core.operation import Operation, plain, stored
from minigrad.ops.shape import Axis, array_like, broadcast_to, cast, dtype_of, floats, normal_axes, reshape, shape_of

_BLOCK = 8192


class Reduction(Operation):
    """Shared by reductions over `axes` (sorted): what the shape is with the axes kept at size 1, and how it reads."""

    def __init__(self, axes: tuple[int, ...], keepdims: bool):
        self.axes, self.keepdims = axes, keepdims

    def kept(self, a: ArrayLike) -> tuple[int, ...]:
        return tuple(1 if k in self.axes else size for k, size in enumerate(shape_of(a)))

    def spread(self, reduced: ArrayLike, a: ArrayLike) -> Array:
        """A reduced array copied back to the shape of `a`."""
        return broadcast_to(reshape(reduced, self.kept(a)), shape_of(a))

    def text(self, a: str) -> str:
        axes = self.axes[0] if len(self.axes) == 1 else self.axes
        return f"{self.name}({a}, axis={axes}{', keepdims=True' if self.keepdims else ''})"


class Sum(Reduction):
    """The sum over axes. NumPy adds pairwise along contiguous axes, so float32 sums of millions stay accurate."""

    name = "sum"
    symbol = "Σ"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        total: Any = np.sum  # whose types know `out` and `keepdims` only one by one
        if len(self.axes) < np.ndim(a) or np.size(a) <= _BLOCK or dtype_of(a) != np.float32:
            return total(a, self.axes, keepdims=self.keepdims, out=out)
        # NumPy before 2.3 adds blocks of this size one after the other: 10 million times 0.1 is off by 10.
        return stored(np.float32(total(a, self.axes, keepdims=self.keepdims, dtype=np.float64)), out)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return self.spread(adjoint, a)

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.reduced(node, a, self.axes, "sum")


class Max(Reduction):
    """The largest entry over axes. Ties share the derivative in equal parts, as in PyTorch's amax."""

    name = "max"
    _find: Callable[..., Any] = staticmethod(np.max)
    word = "largest"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return self._find(a, self.axes, keepdims=self.keepdims, out=out)

    def share(self, v: ArrayLike, a: ArrayLike) -> Array:
        """1 / (number of ties) at the winning entries, else 0."""
        winners = cast(rules.equal(a, self.spread(v, a)), dtype_of(a))
        return winners / self.spread(Sum(self.axes, self.keepdims)(winners), a)

    def jvp(self, i: int, tangent: Array, v: Array, a: Array) -> Array:
        return Sum(self.axes, self.keepdims)(tangent * self.share(v, a))

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return self.spread(adjoint, a) * self.share(v, a)

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.reduced(node, a, self.axes, self.name)  # "max" or "min"

    def advice(self, a: Array) -> str:
        return f"There is no {self.word} entry among none" if 0 in np.shape(a) else ""


class Min(Max):
    """The smallest entry over axes; in all else as Max."""

    name = "min"
    _find = staticmethod(np.min)
    word = "smallest"


def sum(a: ArrayLike, axis: Axis = None, dtype: DTypeLike = None, *, keepdims: bool = False) -> Array:
    """The sum over `axis` (an int, several, or all)."""
    a = _as(a, dtype)
    return _as(Sum(normal_axes(axis, len(shape_of(a))), keepdims)(a), dtype)


def mean(a: ArrayLike, axis: Axis = None, dtype: DTypeLike = None, *, keepdims: bool = False) -> Array:
    """The mean over `axis`."""
    a = _as(a, dtype, "f")
    if not (count := _count(a, axis)):
        raise ValueError(f"mean of no numbers: the shape is {shape_of(a)}")
    return sum(a, axis, keepdims=keepdims) / count


def max(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """The largest entry over `axis`; ties share the derivative."""
    return Max(normal_axes(axis, len(shape_of(a))), keepdims)(a)


def min(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """The smallest entry over `axis`; ties share the derivative."""
    return Min(normal_axes(axis, len(shape_of(a))), keepdims)(a)


def _count(a: ArrayLike, axis: Axis) -> int:
    """Count the entries over axes."""
    return math.prod(shape_of(a)[k] for k in normal_axes(axis, len(shape_of(a))))


def var(a: ArrayLike, axis: Axis = None, dtype: DTypeLike = None, *, ddof: int = 0, keepdims: bool = False) -> Array:
    """The variance over `axis`: the sum of squared distances from the mean, divided by the count less `ddof`.

    ddof=0 is the mean square, NumPy's default; ddof=1 estimates the variance behind a sample, PyTorch's default.
    """
    a = _as(array_like(a), dtype, "f")
    if (count := _count(a, axis)) <= ddof:
        raise ValueError(
            f"var of {count} numbers with ddof={ddof} divides by {count - ddof}: the shape is {shape_of(a)}"
        )
    return sum(rules.square(a - mean(a, axis, keepdims=True)), axis, keepdims=keepdims) / plain(count - ddof)


def std(a: ArrayLike, axis: Axis = None, dtype: DTypeLike = None, *, ddof: int = 0, keepdims: bool = False) -> Array:
    """The standard deviation over `axis`, the square root of `var`. Where it is 0 its derivative is taken as 0."""
    return rules.root(var(a, axis, dtype, ddof=ddof, keepdims=keepdims))


def normalize(a: ArrayLike, axes: int = 1, eps: float = 0.0) -> Array:
    """(a - mean) / sqrt(variance + eps) along the last `axes` axes."""
    a, last = floats(array_like(a)), tuple(range(-axes, 0))
    if not _count(a, last):
        raise ValueError(f"normalize needs numbers along the last {axes} axes, got shape {shape_of(a)}")
    apart = a - mean(a, last, keepdims=True)
    return apart / rules.sqrt(mean(rules.square(apart), last, keepdims=True) + eps)


def norm(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """The length of `a` over `axis`, sqrt(sum(a * a)); of a matrix, the Frobenius norm. At 0 its derivative is 0."""
    return rules.root(sum(rules.square(floats(a)), axis, keepdims=keepdims))


def logsumexp(a: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Array:
    """log(sum(exp(a))) over `axis`, without overflow: the largest entry is taken out first."""
    a = floats(a)
    largest = _largest(a, axis)
    total = rules.log(sum(rules.exp(a - largest), axis, keepdims=keepdims))
    return total + (largest if keepdims else reshape(largest, shape_of(total)))


def softmax(a: ArrayLike, axis: int = -1) -> Array:
    """exp(a) / sum(exp(a)) along `axis`, without overflow."""
    a = floats(a)
    powers = rules.exp(a - _largest(a, axis))
    return powers / sum(powers, axis, keepdims=True)


def log_softmax(a: ArrayLike, axis: int = -1) -> Array:
    """log(softmax(a)) along `axis`, exact also where the softmax rounds to 0, and where `a` is large."""
    a = floats(a)
    shifted = a - _largest(a, axis)  # exact between numbers that count; a - logsumexp(a) rounds at the size of a
    return shifted - rules.log(sum(rules.exp(shifted), axis, keepdims=True))


def _as(a: ArrayLike, dtype: DTypeLike, kinds: str = "fiub") -> Array:
    """`a` in the dtype in which it is to be added up, or the sum in the one that is wanted, if one is given."""
    if dtype is not None and np.dtype(dtype).kind not in kinds:
        raise TypeError(f"a mean and a variance are float32 or float64, not {np.dtype(dtype)}: mg.cast converts them")
    return a if dtype is None else cast(array_like(a), dtype)  # type: ignore[return-value]


def _largest(a: ArrayLike, axis: Axis) -> Array:
    """The largest finite shift for exp: a constant, because the result does not depend on it."""
    largest = rules.stop_gradient(max(a, axis, keepdims=True))
    return rules.where(rules.less(rules.abs(largest), np.inf), largest, 0)
