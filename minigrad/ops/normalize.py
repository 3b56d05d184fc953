"""Numbers with mean 0 and variance 1 along the last axes, as one operation, and its derivative.

Written with means, a square and a root, a layer normalization walks five times over its input, and back ten times. In
one piece it is two short loops for each row, which stays in the nearest cache (minigrad/native/norms.py).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.operation import Operation
from minigrad.ops.numbers import floats
from minigrad.ops.reduce import mean
from minigrad.ops.shape import array_like, shape_of


class Normalize(Operation):
    """v = (a - mean a) / s with s = sqrt(variance of a + eps), along the last `axes` axes.

    For the mean written <>, a small change t of a changes v by (t - <t> - v <v t>) / s. That is symmetric in what comes
    in and what goes out, so that an adjoint goes back by the same formula.
    """

    name = "normalize"

    def __init__(self, axes: int, eps: float):
        self.axes, self.eps = axes, eps

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.divide(*self._apart(a), out=out)

    def jvp(self, i: int, tangent: Array, v: Array, a: Array) -> Array:
        return NormalizeSlope(self.axes, self.eps)(a, tangent)

    vjp = jvp  # type: ignore[assignment]

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.call(node, "normalize", [a], (math.prod(a.shape[-self.axes :]), self.eps))

    def mean(self, a: ArrayLike) -> Array:
        return mean(a, tuple(range(-self.axes, 0)), keepdims=True)

    def _apart(self, a: Array | np.ndarray) -> tuple[Any, Array]:
        """a - mean a, and s."""
        apart = a - self.mean(a)
        return apart, rules.sqrt(self.mean(rules.square(apart)) + self.eps)


class NormalizeSlope(Normalize):
    """(t - <t> - v <v t>) / s, where v and s are those of `Normalize` at a.

    Its own derivative in the direction u of a is -(w <v u> + x <v t> + v <w u>) / s, where w and x are the slopes for t
    and for u. That is symmetric in t and u.
    """

    name = "normalize_slope"

    def value(self, a: np.ndarray, t: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:  # type: ignore[override]
        apart, s = self._apart(a)
        v = apart / s
        return np.divide(t - self.mean(t) - v * self.mean(v * t), s, out=out)

    def jvp(self, i: int, tangent: Array, v: Array, a: Array, t: Array) -> Array:  # type: ignore[override]
        slope = NormalizeSlope(self.axes, self.eps)
        if i == 1:
            return slope(a, tangent)
        apart, s = self._apart(a)
        v, w, x = apart / s, slope(a, t), slope(a, tangent)
        return -(w * self.mean(v * tangent) + x * self.mean(v * t) + v * self.mean(w * tangent)) / s

    vjp = jvp  # type: ignore[assignment]

    def lower(self, to: Lowering, node: Node, a: Value, t: Value) -> Value:  # type: ignore[override]
        inputs = [to.cast(x, node.dtype) for x in (a, t)]
        return to.call(node, "normalize_slope", inputs, (math.prod(a.shape[-self.axes :]), self.eps))


def normalize(a: ArrayLike, axes: int = 1, eps: float = 0.0) -> Array:
    """(a - mean) / sqrt(variance + eps) along the last `axes` axes."""
    a = floats(array_like(a))
    if math.prod(shape_of(a)[-axes:]) == 0:
        raise ValueError(f"normalize needs numbers along the last {axes} axes, got shape {shape_of(a)}")
    return Normalize(axes, eps)(a)
