"""Convolution of images, as networks have it: a filter slides over an image and is compared with what lies under it.

Think of images x, filters w and outputs y as the three sides of one sum of products,

    S(x, w, y) = sum of  y[n, o, r, q]  x[n, c, r s + a d, q s + b d]  w[o, c, a, b]   over everything,

with stride s and dilation d, along height and width sh, sw and dh, dw. It is linear in each side. Leave one side out,
and what multiplies it is an operation: without y it is the convolution, without x or w it is what carries a derivative
back to the images or to the filters. So the derivatives of these three operations are these three operations, and one
kernel computes them.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, DTypeLike, Lowering, Node, Value
from minigrad.ops.pad import pad
from minigrad.ops.shape import reshape, shape_of
from minigrad.ops.workspace import Working, float_dtype

Pair = int | tuple[int, int]
T = TypeVar("T")
INPUTS = {"x": "yw", "w": "xy", "y": "xw"}  # what each side is computed from


class Sliding(Working):
    """The base of the three operations: each computes one `side` of S from the other two."""

    side: str

    def __init__(self, stride: tuple[int, int], dilation: tuple[int, int]):
        self.stride, self.dilation = stride, dilation

    def value(self, *inputs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        from minigrad.native import convolution  # brings numba

        out = self.blank(*map(np.asarray, inputs)) if out is None else out
        sides = self.sides(out, *map(np.asarray, inputs))
        if any(array.size == 0 for array in sides.values()):
            out.fill(0)
            return out
        solid = [self.workspace.solid(name, sides[name], out.dtype) for name in INPUTS[self.side]]
        moves, shapes = (*self.stride, *self.dilation), {name: array.shape for name, array in sides.items()}
        work = scratch(self.side, self.workspace.array, out.dtype, moves, **shapes)
        with np.errstate(all="ignore"):
            getattr(convolution, f"conv_{self.side}")(*solid, *moves, *work, out)
        return out

    def vjp(self, i: int, adjoint: Array, v: Array, *inputs: Array) -> Array | None:
        wanted = INPUTS[self.side][i]
        sides = self.sides(adjoint, *inputs)
        others = [sides[name] for name in INPUTS[wanted]]
        if wanted == "y":
            return Conv2d(self.stride, self.dilation)(*others)
        back = ConvImages if wanted == "x" else ConvFilters
        return back(shape_of(inputs[i]), self.stride, self.dilation)(*others)

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        moves, shapes = (*self.stride, *self.dilation), self.sides(node.shape, *(x.shape for x in inputs))
        work = scratch(self.side, to.new, node.dtype, moves, **shapes)
        return to.call(node, f"conv_{self.side}", [to.cast(x, node.dtype) for x in inputs], moves, work)

    def sides(self, own: T, *inputs: T) -> dict[str, T]:
        """The sides by name: what belongs to its own, and to those that it is computed from."""
        return {self.side: own, **dict(zip(INPUTS[self.side], inputs, strict=True))}

    def text(self, *names: str) -> str:
        moves = "".join(f", {k}={v}" for k, v in (("stride", self.stride), ("dilation", self.dilation)) if v != (1, 1))
        return f"{self.name}({', '.join(names)}{moves})"


def scratch(
    side: str,
    new: Any,
    dtype: DTypeLike,
    moves: Any,
    x: Any,
    w: Any,
    y: Any,
    *,
    window: tuple[int, ...] | None = None,
) -> list[Any]:
    """Return the arrays in which a compiled program's kernel works; new(name, shape, dtype) makes one.

    moves: stride and dilation. x, w, y: shapes. window: of a max pool right after it, its size and stride; then y is
    what comes out of that.
    """
    (sh, sw, dh, dw), (height, width) = moves, window[:2] if window else (1, 1)
    entries, places, lanes = math.prod(w[1:]), height * width, 64 // np.dtype(dtype).itemsize
    if side == "winners":
        from minigrad.native.convolution import PIXELS  # brings numba

        lines = x[1] * w[2] * -(-((w[3] - 1) * dw + 1) // PIXELS)
        table = new("table", (lines + places + y[2] * y[3],), np.int64)
        return [table, new("sums", (w[0], lines, PIXELS), dtype), new("last", (math.prod(x[1:]) + PIXELS,), dtype)]
    if side == "x" and window:
        lines, windows = x[1] * ((height - 1) * sh + (w[2] - 1) * dh + 1), y[2] * y[3]
        numbers = lines * ((width - 1) * sw + (w[3] - 1) * dw + 1)
        numbers = -(-numbers // lanes) * lanes  # whole vectors of any processor
        table, stamps = new("table", (lines + windows,), np.int64), new("stamps", (places, w[0], numbers), dtype)
        return [table, stamps, new("sums", (windows, numbers), dtype)]
    if side == "x":
        lines, outputs, each = entries // (w[3] if dw == 1 else 1), y[2] * y[3], w[0] * math.prod(w[2:])
        before = (w[2] - 1) * dh * x[3] + (w[3] - 1) * dw
        if sh * sw > 1:
            sizes = lines + outputs, (outputs, entries), (0, 0)
        else:
            sizes = each, (w[1], each), (w[0], before + x[2] * x[3])
        return [new("table", (sizes[0],), np.int64), new("turned", sizes[1], dtype), new("spread", sizes[2], dtype)]
    table = new("table", (entries + places * y[2] * y[3],), np.int64)
    if side == "w":
        adjoints = new("adjoints", (places * w[0] * y[2] * y[3],), dtype)
        return [table, adjoints, new("turned", (entries * w[0] * lanes,), dtype)]
    outputs = w[0] * ((places + 1) * y[2] * y[3] if window else (y[2] - 1) * x[3] + y[3])
    work = [table, new("wide", (outputs + entries * w[0],), dtype)]
    return [*work, new("winners", (w[0] * y[2] * y[3],), np.int32)] if window else work


class Conv2d(Sliding):
    """y from images x (n, c, h, w) and filters w (o, c, kh, kw)."""

    name = "conv2d"
    symbol = "conv"
    side = "y"

    def blank(self, x: np.ndarray, w: np.ndarray) -> np.ndarray:
        return np.empty(self.output_shape(x.shape, w.shape), float_dtype(self.name, x, w))

    def output_shape(self, x: tuple[int, ...], w: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of y; where a filter does not fit, an error that says why."""
        if len(x) != 4 or len(w) != 4:
            raise ValueError("Images are (images, channels, rows, columns), filters (filters, channels, rows, columns)")
        if x[1] != w[1]:
            raise ValueError(f"The images have {x[1]} channels, and the filters expect {w[1]}")
        if 0 in w[2:]:
            raise ValueError("A filter has at least one row and one column")
        reach = [(size - 1) * d + 1 for size, d in zip(w[2:], self.dilation, strict=True)]
        if reach[0] > x[2] or reach[1] > x[3]:
            raise ValueError(
                f"The filters reach over {reach[0]} x {reach[1]} pixels, and the padded images have {x[2]} x {x[3]}. "
                "Try a larger padding"
            )
        moves = ((size - r) // s + 1 for size, r, s in zip(x[2:], reach, self.stride, strict=True))
        return (x[0], w[0], *moves)


class ConvImages(Sliding):
    """x, of the given shape, from y and w: each entry of y adds the filter, times itself, to what it was made from."""

    name = "conv2d_images"
    side = "x"

    def __init__(self, shape: tuple[int, ...], stride: tuple[int, int], dilation: tuple[int, int]):
        super().__init__(stride, dilation)
        self.shape = shape

    def blank(self, *inputs: np.ndarray) -> np.ndarray:
        return np.empty(self.shape, np.result_type(*inputs))


class ConvFilters(ConvImages):
    """w, of the given shape, from x and y: each entry of a filter adds up the pixels it met, times what came out."""

    name = "conv2d_filters"
    side = "w"


def conv2d(
    x: ArrayLike, w: ArrayLike, b: ArrayLike | None = None, stride: Pair = 1, padding: Pair = 0, dilation: Pair = 1
) -> Array:
    """The cross-correlation of images and filters, as PyTorch's conv2d: (n, o, rows, columns).

    x: images (n, c, h, w). w: filters (o, c, kh, kw). b: a number for each filter (o,), or None. stride: pixels that
    the filter moves at a time. padding: pixels of 0 around each image. dilation: pixels from one entry of the filter
    to the next. Each an int, or a pair for rows and columns. There are (h + 2 padding - dilation (kh - 1) - 1) //
    stride + 1 rows of output. All float32 or float64; together they are float64 if one of them is.
    """
    frame = pair("conv2d", "padding", padding, least=0)
    op = Conv2d(pair("conv2d", "stride", stride), pair("conv2d", "dilation", dilation))
    if len(shape_of(x)) == 4:  # else the operation says what is wrong
        x = pad(x, ((0, 0), (0, 0), (frame[0],) * 2, (frame[1],) * 2))
    y = op(x, w)
    if b is None:
        return y
    filters = shape_of(y)[1]
    if shape_of(b) != (filters,):
        raise ValueError(f"conv2d: the bias has one number for each of the {filters} filters, got shape {shape_of(b)}")
    return y + reshape(b, (filters, 1, 1))


def pair(who: str, what: str, value: object, least: int = 1) -> tuple[int, int]:
    """One int for rows and columns, or a pair of them, as a pair."""
    both = tuple(value) if isinstance(value, tuple | list) else (value, value)
    fits = all(isinstance(k, int | np.integer) and not isinstance(k, bool) and k >= least for k in both)
    if len(both) != 2 or not fits:
        raise ValueError(
            f"{who}: {what} is an int of at least {least}, or a pair (rows, columns) of them; got {value!r}"
        )
    return int(both[0]), int(both[1])
