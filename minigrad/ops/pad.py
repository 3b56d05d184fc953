"""Padding: a frame of one number around an array. Its derivative is a slice: the frame does not depend on the input."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike
from minigrad.ops.shape import Scatter, dtype_of, shape_of

Widths = int | Sequence[int] | Sequence[Sequence[int]]


class Pad(Scatter):
    """The input among zeros, of which axis k has `widths[k] = (before, after)`."""

    name = "pad"

    def __init__(self, widths: tuple[tuple[int, int], ...], shape: tuple[int, ...]):
        sizes = [*zip(widths, shape, strict=True)]
        key = tuple(slice(before, before + size) for (before, _), size in sizes)
        super().__init__(key, tuple(before + size + after for (before, after), size in sizes))
        self.widths = widths

    def text(self, a: str) -> str:
        return f"pad({a}, {self.widths})"


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
    op = Pad(tuple((int(before), int(after)) for before, after in pairs), shape_of(a))
    if value == 0:
        return op(a)
    frame = np.ones(op.shape, bool)
    frame[op.key] = False
    return rules.where(frame, np.array(np.asarray(value).item(), dtype_of(a)), op(a))
