"""Convolutions with filters of 3 x 3, the size that most networks have: summed directly, nine products at a time.

Nine weights fit into a processor's registers. So an image needs no copy of its pixels for each entry of the filter, as
a matrix product does (convolution.py): it is read where it lies. As there, an image counts as one long row.

Backwards, what hangs over the edge is 0, and so is the adjoint of each pixel that lost in its window; they are
multiplied along, or not looked at, which is the same while all numbers are finite. Where one is not, 0 times it is nan,
and only what the formula has may count: then plain loops do it (`by_loops`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minigrad.compiler.convolution import foresee, pool_by_two
from minigrad.compiler.kernels import exact, inlined
from minigrad.compiler.values import Call, Equation, Value


def direct(equations: list[Equation], new: Callable[..., Value]) -> str:
    """Calls of convolution.py with filters of 3 x 3, step 1, without gaps, become calls of what is below."""
    changed = 0
    for equation in equations:
        if not isinstance(equation, Call) or equation.kernel not in _ROOM or equation.extra[:4] != (1, 1, 1, 1):
            continue
        x, w = _images_and_filters(equation)
        if w.shape[2:] != (3, 3) or (equation.kernel == "conv_pool" and equation.extra[4:] != (2, 2, 2, 2)):
            continue
        room = _ROOM[equation.kernel]
        length = x.shape[2] * x.shape[3] + room * (2 * x.shape[3] + 2)
        equation.kernel, equation.extra = f"{equation.kernel}_3x3", ()
        equation.work = [new("long_row", (length,), x.dtype)]
        changed += 1
    return f"{changed} convolutions sum 3 x 3 products directly"


# By how many times two rows and two pixels a work row is longer than an image.
_ROOM = {"conv_y": -1, "conv_pool": -1, "conv_x": 1, "conv_x_at": 1, "conv_w_at": 0}


def _images_and_filters(equation: Call) -> tuple[Value, Value]:
    first, second, *_ = equation.inputs
    if equation.kernel.startswith("conv_x"):
        return equation.out, second
    return (first, equation.out) if equation.kernel.startswith("conv_w") else (first, second)


@inlined
def sum_nine(w, image, pitch, fresh, out):
    """out[j] = the sum over a, b of w[a, b] * image[j + a * pitch + b]; not `fresh`: added to what is there."""
    w00, w01, w02 = w[0, 0], w[0, 1], w[0, 2]
    w10, w11, w12 = w[1, 0], w[1, 1], w[1, 2]
    w20, w21, w22 = w[2, 0], w[2, 1], w[2, 2]
    up, middle, low = image, image[pitch:], image[2 * pitch :]
    if fresh:
        for j in range(out.size):
            out[j] = 0
    for j in range(out.size):
        out[j] += (
            w00 * up[j] + w01 * up[j + 1] + w02 * up[j + 2]
            + w10 * middle[j] + w11 * middle[j + 1] + w12 * middle[j + 2]
            + w20 * low[j] + w21 * low[j + 1] + w22 * low[j + 2]
        )  # fmt: skip


@exact
def convolve(image, w, row):
    """row = one filter (channels, 3, 3) over an image (channels, height, width), as one long row."""
    channels, height, width = image.shape
    flat = image.reshape(channels, height * width)
    for c in range(channels):
        sum_nine(w[c], flat[c], width, c == 0, row)


@exact
def conv_y_3x3(x, w, row, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, 3, 3)."""
    images, filters, rows, columns = y.shape
    for i in range(images):
        for o in range(filters):
            convolve(x[i], w[o], row)
            for r in range(rows):
                for q in range(columns):
                    y[i, o, r, q] = row[r * x.shape[3] + q]


@exact
def conv_pool_3x3(x, w, bias, row, where, out):
    """out = the largest of each window of 2 x 2 of the convolution of x and w; where: its place in the row."""
    images, filters, _, _ = out.shape
    for i in range(images):
        for o in range(filters):
            convolve(x[i], w[o], row)
            foresee(row, bias[o])
            pool_by_two(row, x.shape[3], where[i, o], out[i, o])


@exact
def all_finite(numbers):
    """Whether there is no infinity and no nan among them."""
    total = numbers.dtype.type(0)
    for k in range(numbers.size):
        total += numbers[k] - numbers[k]
    return total == 0


@exact
def by_loops(row, pitch, rows, columns, w, image, back):
    """Every product of an output's adjoint with a pixel or a weight, one at a time, whatever the adjoint is.

    row: the adjoint of one filter's outputs, in rows of `pitch`. back: added to the image; else to the filter w.
    """
    for r in range(rows):
        for q in range(columns):
            adjoint = row[r * pitch + q]
            for c in range(image.shape[0]):
                for a in range(3):
                    for b in range(3):
                        if back:
                            image[c, r + a, q + b] += adjoint * w[c, a, b]
                        else:
                            w[c, a, b] += adjoint * image[c, r + a, q + b]


@exact
def carry_back(row, w, o, image):
    """Add to an image what filter o carries back. row: the adjoint of its outputs, behind two rows and two pixels."""
    channels, height, width = image.shape
    flat = image.reshape(channels, height * width)
    if o == 0:
        image[:] = 0
    if not all_finite(w[o].reshape(channels * 9)):
        by_loops(row[2 * width + 2 :], width, height - 2, width - 2, w[o], image, True)
        return
    for c in range(channels):
        sum_nine(w[o, c, ::-1, ::-1], row, width, False, flat[c])


@exact
def conv_x_3x3(y, w, row, x):
    """x = what carries an adjoint y of the outputs back to the images."""
    images, filters, rows, columns = y.shape
    width = x.shape[3]
    row[:] = 0
    for i in range(images):
        for o in range(filters):
            for r in range(rows):
                start = (r + 2) * width + 2
                for q in range(columns):
                    row[start + q] = y[i, o, r, q]
            carry_back(row, w, o, x[i])


@exact
def put(y, where, start, row):
    """row = 0, with the adjoints y added at the places `where`, counted from `start`."""
    row[:] = 0
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            row[start + where[r, q]] += y[r, q]


@exact
def conv_x_at_3x3(y, w, where, row, x):
    """`conv_x_3x3` for outputs that are 0 but at the places `where`, in which they are y."""
    for i in range(y.shape[0]):
        for o in range(y.shape[1]):
            put(y[i, o], where[i, o], 2 * x.shape[3] + 2, row)
            carry_back(row, w, o, x[i])


@exact
def conv_w_at_3x3(x, y, where, row, w):
    """`conv_w` for outputs that are 0 but at the places `where`, in which they are y."""
    images, filters, rows, columns = y.shape
    channels, height, width = x.shape[1:]
    w[:] = 0
    for i in range(images):
        flat = x[i].reshape(channels, height * width)
        finite = all_finite(x[i].reshape(channels * height * width))
        for o in range(filters):
            if not finite:
                put(y[i, o], where[i, o], 0, row)
                by_loops(row, width, height - 2, width - 2, w[o], x[i], False)
                continue
            here, adjoint = where[i, o].reshape(rows * columns), y[i, o].reshape(rows * columns)
            for c in range(channels):
                add_patches(flat[c], width, here, adjoint, w[o, c])


@exact
def add_patches(image, pitch, where, adjoint, w):
    """w[a, b] += the sum over k of adjoint[k] * image[where[k] + a * pitch + b]."""
    w00 = w01 = w02 = w10 = w11 = w12 = w20 = w21 = w22 = w.dtype.type(0)
    # Without a sign: of any other number numba asks whether it counts from the end.
    one, two, pitch = np.uintp(1), np.uintp(2), np.uintp(pitch)
    for k in range(where.size):
        factor, up = adjoint[k], np.uintp(where[k])
        middle = up + pitch
        low = middle + pitch
        w00 += factor * image[up]
        w01 += factor * image[up + one]
        w02 += factor * image[up + two]
        w10 += factor * image[middle]
        w11 += factor * image[middle + one]
        w12 += factor * image[middle + two]
        w20 += factor * image[low]
        w21 += factor * image[low + one]
        w22 += factor * image[low + two]
    w[0, 0] += w00
    w[0, 1] += w01
    w[0, 2] += w02
    w[1, 0] += w10
    w[1, 1] += w11
    w[1, 2] += w12
    w[2, 0] += w20
    w[2, 1] += w21
    w[2, 2] += w22
