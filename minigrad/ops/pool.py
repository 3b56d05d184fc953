"""Pooling: each window of an image becomes one number, its largest entry or its mean.

All windows are taken at once, place by place: first the upper left pixel of every window, then the one to its right,
and so on. The pixels at one place in all windows are a strided view of the images: NumPy does the work without copies.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterator

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.core.errors import learner_line, refusal
from minigrad.native.pooling import window_argmax
from minigrad.ops.along import AddAlong, Places, TakeAlong
from minigrad.ops.conv import Pair, pair
from minigrad.ops.shape import array_like, dtype_of, floats, index, reshape, shape_of
from minigrad.ops.workspace import Working

Shape = tuple[int, ...]


class Pooling(Working):
    """The base of operations on windows: their size and stride (rows, columns)."""

    name = "avg_pool2d"  # which is made of others, for its errors

    def __init__(self, size: tuple[int, int], stride: tuple[int, int]):
        self.size, self.stride = size, stride

    def pooled(self, x: Shape) -> Shape:
        """The shape with one entry for each window. What does not fill a window, right and below, is left out."""
        if len(x) != 4:
            raise ValueError("Images are (images, channels, rows, columns)")
        if self.size[0] > x[2] or self.size[1] > x[3]:
            raise ValueError(f"A window of {self.size[0]} x {self.size[1]} does not fit into {x[2]} x {x[3]} pixels")
        return (*x[:2], *((x[k + 2] - self.size[k]) // self.stride[k] + 1 for k in (0, 1)))

    def places(self, x: np.ndarray, windows: Shape) -> Iterator[np.ndarray]:
        """For each place in a window, the pixels at that place in all windows: views of x."""
        (sh, sw), (rows, columns) = self.stride, windows[2:]
        for a in range(self.size[0]):
            for b in range(self.size[1]):
                yield x[:, :, a : a + sh * (rows - 1) + 1 : sh, b : b + sw * (columns - 1) + 1 : sw]

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        return to.call(node, self.name.removesuffix("2d"), inputs, (*self.size, *self.stride))

    def text(self, *names: str) -> str:
        apart = "" if self.stride == self.size else f", stride={self.stride}"
        return f"{self.name}({', '.join(names)}, {self.size}{apart})"


class MaxPool2d(Pooling):
    """The largest pixel of each window. A derivative goes to this pixel alone; to the first of several equal ones."""

    name = "max_pool2d"
    symbol = "max pool"

    def value(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        x = np.asarray(x)
        out = np.empty(self.pooled(x.shape), x.dtype) if out is None else out
        first, *others = self.places(x, out.shape)
        np.copyto(out, first)
        for pixels in others:
            np.maximum(out, pixels, out=out)
        return out

    def jvp(self, i: int, tangent: Array, v: Array, x: Array) -> Array:
        places = WindowArgMax(self.size, self.stride)(x)
        return reshape(TakeAlong()(_in_rows(tangent), _in_rows(places)), shape_of(places))

    def vjp(self, i: int, adjoint: Array, v: Array, x: Array) -> Array | None:
        images, places = _in_rows(x), _in_rows(WindowArgMax(self.size, self.stride)(x))
        return reshape(AddAlong(shape_of(images)[-1])(_in_rows(adjoint), places), shape_of(x))


class WindowArgMax(Pooling, Places):
    """The argmax of each window: row x width + column in the image, an int, without a derivative."""

    name = "window_argmax"

    def value(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = self.blank(x) if out is None else out
        window_argmax(self.workspace.solid("x", x), *self.size, *self.stride, out)
        return out

    def blank(self, x: np.ndarray) -> np.ndarray:
        return np.empty(self.pooled(x.shape), np.int64)


def _in_rows(a: Array) -> Array:
    """The pixels of each image, or the numbers for its windows, in one row."""
    return reshape(a, (*shape_of(a)[:2], math.prod(shape_of(a)[2:])))


def max_pool2d(x: ArrayLike, size: Pair, stride: Pair | None = None) -> Array:
    """The largest pixel of each window of images (n, c, h, w): (n, c, rows, columns).

    size: the window's, an int or a pair (rows, columns). stride: pixels from one window to the next; as large as the
    window if not said. Pixels at the right and lower edge that fill no window are dropped: (h - size) // stride + 1
    rows are left. A nan in a window makes it nan.
    """
    return MaxPool2d(*_window("max_pool2d", size, stride))(x)


def avg_pool2d(x: ArrayLike, size: Pair, stride: Pair | None = None) -> Array:
    """The mean of each window of images (n, c, h, w); windows as in `max_pool2d`.

    Sums of slices, along columns and then along rows: so its derivative is theirs.
    """
    op, x = Pooling(*_window("avg_pool2d", size, stride)), floats(array_like(x))
    try:
        windows = op.pooled(shape_of(x))
    except ValueError as error:
        raise refusal(op, [np.empty(shape_of(x), dtype_of(x))], error, learner_line()) from None
    for axis in (2, 3):
        (count, step), reach = (op.size[axis - 2], op.stride[axis - 2]), windows[axis] - 1
        keys = [(slice(None),) * axis + (slice(k, k + step * reach + 1, step),) for k in range(count)]
        x = functools.reduce(operator.add, [index(x, key) for key in keys])
    return x / math.prod(op.size)


def _window(who: str, size: Pair, stride: Pair | None) -> tuple[tuple[int, int], tuple[int, int]]:
    window = pair(who, "size", size)
    return window, window if stride is None else pair(who, "stride", stride)
