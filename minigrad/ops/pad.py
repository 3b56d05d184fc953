"""Padding: a frame of one number around an array. Its derivative is a slice: the frame does not depend on the input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.operation import Operation
from minigrad.ops.shape import Scatter, shape_of

Widths = int | Sequence[int] | Sequence[Sequence[int]]


class Pad(Operation):
    """The input, with `widths[k] = (before, after)` entries that are `fill` added along axis k."""

    name = "pad"

    def __init__(self, widths: tuple[tuple[int, int], ...], fill: float):
        self.widths, self.fill = widths, fill

    def inside(self, shape: tuple[int, ...]) -> tuple[slice, ...]:
        """Return the places of the input, of this shape, in the value."""
        return tuple(slice(before, before + size) for (before, _), size in zip(self.widths, shape, strict=True))

    def padded(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(before + size + after for (before, after), size in zip(self.widths, shape, strict=True))

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        a = np.asarray(a)
        out = np.empty(self.padded(a.shape), a.dtype) if out is None else out
        out.fill(self.fill)
        out[self.inside(a.shape)] = a
        return out

    def jvp(self, i: int, tangent: Array, v: Array, a: Array) -> Array:
        return Scatter(self.inside(shape_of(a)), self.padded(shape_of(a)))(tangent)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return adjoint[self.inside(shape_of(a))]

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        fill = np.asarray(self.fill)  # of integers, too: a float would leave some of them out
        fill = fill.astype(np.float64 if node.dtype.kind == "f" else node.dtype)
        return to.assembled(node, [a], [self.inside(a.shape)], fill.item())

    def text(self, a: str) -> str:
        return f"pad({a}, {self.widths}{f', {self.fill}' if self.fill else ''})"


def pad(a: ArrayLike, widths: Widths, value: float = 0) -> Array:
    """`a` with entries that are `value` added before and after each axis.

    widths: one int for all sides; (before, after) for all axes; or one such pair for each axis, as in np.pad.
    """
    ndim = len(shape_of(a))
    try:
        pairs = np.broadcast_to(np.asarray(widths), (ndim, 2))
    except ValueError:
        pairs = np.array(-1)
    if pairs.dtype.kind not in "iu" or pairs.min(initial=0) < 0:
        raise ValueError(
            f"pad: widths are an int of at least 0, a pair (before, after), or one pair for each of the {ndim} axes; "
            f"got {widths!r}"
        )
    if not pairs.any():
        return a  # type: ignore[return-value]
    return Pad(tuple((int(before), int(after)) for before, after in pairs), value)(a)
