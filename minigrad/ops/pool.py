"""Pooling: each window of an image becomes one number, its largest entry or its mean.

All windows are taken at once, place by place: first the upper left pixel of every window, then the one to its right,
and so on. The pixels at one place in all windows are a strided view of the images: NumPy does the work without copies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Value
from minigrad.native.pooling import window_argmax
from minigrad.ops.along import AddAlong, Places, TakeAlong
from minigrad.ops.conv import Pair, pair
from minigrad.ops.shape import reshape, shape_of
from minigrad.ops.workspace import Working

Shape = tuple[int, ...]


class Pooling(Working):
    """The base of operations on windows: their size and stride (rows, columns)."""

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


class AvgPool2d(Pooling):
    """The mean of each window."""

    name = "avg_pool2d"
    symbol = "avg pool"

    def value(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        x = np.asarray(x)
        if out is None:
            out = np.empty(self.pooled(x.shape), x.dtype if x.dtype.kind == "f" else np.float64)
        out.fill(0)
        for pixels in self.places(x, out.shape):
            np.add(out, pixels, out=out)
        return np.divide(out, self.size[0] * self.size[1], out=out)

    def vjp(self, i: int, adjoint: Array, v: Array, x: Array) -> Array | None:
        return ShareOut(shape_of(x), self.size, self.stride)(adjoint)


class ShareOut(Pooling):
    """The adjoint of `AvgPool2d`: each number in equal parts to the pixels of its window."""

    name = "share_out"

    def __init__(self, shape: Shape, size: tuple[int, int], stride: tuple[int, int]):
        super().__init__(size, stride)
        self.shape = shape

    def value(self, y: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.empty(self.shape, y.dtype) if out is None else out
        out.fill(0)
        for pixels in self.places(out, y.shape):
            np.add(pixels, y, out=pixels)
        return np.divide(out, self.size[0] * self.size[1], out=out)

    def vjp(self, i: int, adjoint: Array, v: Array, y: Array) -> Array | None:
        return AvgPool2d(self.size, self.stride)(adjoint)


def max_pool2d(x: ArrayLike, size: Pair, stride: Pair | None = None) -> Array:
    """The largest pixel of each window of images (n, c, h, w): (n, c, rows, columns).

    size: the window's, an int or a pair (rows, columns). stride: pixels from one window to the next; as large as the
    window if not said. Pixels at the right and lower edge that fill no window are dropped: (h - size) // stride + 1
    rows are left. A nan in a window makes it nan.
    """
    return MaxPool2d(*_window("max_pool2d", size, stride))(x)


def avg_pool2d(x: ArrayLike, size: Pair, stride: Pair | None = None) -> Array:
    """The mean of each window of images (n, c, h, w); windows as in `max_pool2d`."""
    return AvgPool2d(*_window("avg_pool2d", size, stride))(x)


def _window(who: str, size: Pair, stride: Pair | None) -> tuple[tuple[int, int], tuple[int, int]]:
    window = pair(who, "size", size)
    return window, window if stride is None else pair(who, "stride", stride)
