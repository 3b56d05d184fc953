"""Convolution and pooling for compiled programs, forwards and backwards, one image at a time so that it stays in cache.

A convolution is a matrix product of the filters, flat, with `seen`: a row for each entry of a filter, with the pixels
that this entry meets as the filter slides (im2col). Forwards, with a stride of 1, an image counts as one long row:
what an entry meets is one piece of it, copied at the speed of memory. Where the filter would hang over the right edge,
the row holds some numbers too many; they are computed and never read. Backwards such numbers would be added up, as 0
times a pixel or a weight, which is nan where that is infinite. So there each row is copied by itself.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.kernels import exact, matmul, maximum
from minigrad.ops import pool as eager

# The same kernels as when a graph runs uncompiled.
winners, pick, place = (kernel.compiled() for kernel in (eager._winners, eager._pick, eager._place))  # type: ignore[attr-defined]


@exact
def look(image, kernel_rows, kernel_columns, down, right, down_step, right_step, rows, columns, pitch, seen):
    """Fill `seen` (taps, length) from an image (channels, height, width).

    pitch: from a row of outputs to the next. With a stride of 1 and the image's own width, all is copied in one piece.
    """
    channels, height, width = image.shape
    length = seen.shape[1]
    flat = image.reshape(channels, height * width)
    tap = 0
    for c in range(channels):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                met = seen[tap]
                tap += 1
                if down == 1 and right == 1 and pitch == width:
                    piece = flat[c, a * down_step * width + b * right_step :]
                    for j in range(length):
                        met[j] = piece[j]
                else:
                    for r in range(rows):
                        line, target = image[c, r * down + a * down_step, b * right_step :], met[r * pitch :]
                        if right == 1:  # said apart, so that it is copied many at a time
                            for q in range(columns):
                                target[q] = line[q]
                        else:
                            for q in range(columns):
                                target[q] = line[q * right]


@exact
def add_back(seen, kernel_rows, kernel_columns, down, right, down_step, right_step, rows, columns, pitch, image):
    """The adjoint of `look`: add each entry of `seen` to the pixel that it was read from."""
    tap = 0
    for c in range(image.shape[0]):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                met = seen[tap]
                tap += 1
                for r in range(rows):
                    line, source = image[c, r * down + a * down_step, b * right_step :], met[r * pitch :]
                    if right == 1:
                        for q in range(columns):
                            line[q] += source[q]
                    else:
                        for q in range(columns):
                            line[q * right] += source[q]


@exact
def conv_y(factors, x, w, down, right, down_step, right_step, seen, wide, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, kh, kw)."""
    n, filters, rows, columns = y.shape
    flat_filters = w.reshape(filters, seen.shape[0])
    pitch = x.shape[3] if down == 1 and right == 1 else columns
    for i in range(n):
        look(x[i], w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, pitch, seen)
        matmul(factors, flat_filters, seen, wide)
        for o in range(filters):
            for r in range(rows):
                for q in range(columns):
                    y[i, o, r, q] = wide[o, r * pitch + q]


@exact
def conv_x(factors, y, w, down, right, down_step, right_step, seen, wide, x):
    """x = what carries an adjoint y of the outputs back to the images: each output adds its filter, times itself."""
    n, filters, rows, columns = y.shape
    flat_filters = w.reshape(filters, seen.shape[0])
    for i in range(n):
        matmul(factors, flat_filters.T, y[i].reshape(filters, rows * columns), seen)
        x[i] = 0
        add_back(seen, w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, columns, x[i])


@exact
def conv_w(factors, x, y, down, right, down_step, right_step, seen, wide, w):
    """w = what carries an adjoint y of the outputs back to the filters: the pixels that each entry met, times y."""
    n, filters, rows, columns = y.shape
    flat_filters = w.reshape(filters, seen.shape[0])
    flat_filters[:] = 0
    for i in range(n):
        look(x[i], w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, columns, seen)
        matmul(factors, y[i].reshape(filters, rows * columns), seen.T, flat_filters)


@exact
def conv_pool(
    factors,
    x,
    w,
    bias,
    down,
    right,
    down_step,
    right_step,
    height,
    width,
    pool_down,
    pool_right,
    seen,
    wide,
    where,
    out,
):
    """out = the largest of each window of the convolution of x and w; where: its place in an image's row of `wide`.

    The convolution itself is never written down: one image of it at a time lies in `wide`. bias: what is added to each
    channel later.
    """
    filters = w.shape[0]
    flat_filters = w.reshape(filters, seen.shape[0])
    columns = (x.shape[3] - (w.shape[3] - 1) * right_step - 1) // right + 1
    rows = (x.shape[2] - (w.shape[2] - 1) * down_step - 1) // down + 1
    pitch = x.shape[3] if down == 1 and right == 1 else columns
    for i in range(x.shape[0]):
        look(x[i], w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, pitch, seen)
        matmul(factors, flat_filters, seen, wide)
        for o in range(filters):
            foresee(wide[o], bias[o])
        if height == 2 and width == 2 and pool_down == 2 and pool_right == 2:
            for o in range(filters):
                pool_by_two(wide[o], pitch, where[i, o], out[i, o])
        else:
            pool(wide, pitch, height, width, pool_down, pool_right, where[i], out[i])


@exact
def foresee(row, bias):
    """Add an infinite bias now: then all of a window is infinite, or nan, and the first wins instead of the largest."""
    if abs(bias) == np.inf:
        for j in range(row.size):
            row[j] += bias


@exact
def pool_by_two(row, pitch, where, out):
    """Windows of 2 x 2, side by side, in one long row: without a branch, since nobody can foretell which pixel wins."""
    rows, columns = out.shape
    for r in range(rows):
        start = 2 * r * pitch
        upper, lower = row[start:], row[start + pitch :]
        best, place = out[r], where[r]
        for q in range(columns):
            up = maximum(upper[2 * q], upper[2 * q + 1])
            best[q] = maximum(up, maximum(lower[2 * q], lower[2 * q + 1]))
        for q in range(columns):
            a, b, c, d = upper[2 * q], upper[2 * q + 1], lower[2 * q], lower[2 * q + 1]
            winner = pitch + 1  # the first that is the largest; of several nan the last, as in ops/pool.py
            winner = pitch if c == best[q] else winner
            winner = 1 if b == best[q] else winner
            winner = 0 if a == best[q] or a != a else winner
            winner = 1 if b != b else winner
            winner = pitch if c != c else winner
            winner = pitch + 1 if d != d else winner
            place[q] = start + 2 * q + winner


@exact
def pool(wide, pitch, height, width, down, right, where, out):
    """Windows of any size."""
    filters, rows, columns = out.shape
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                place = r * down * pitch + q * right
                best = wide[o, place]
                for a in range(height):
                    for b in range(width):
                        here = (r * down + a) * pitch + q * right + b
                        if wide[o, here] > best or wide[o, here] != wide[o, here]:
                            best, place = wide[o, here], here
                out[o, r, q] = best
                where[o, r, q] = place


@exact
def put(y, where, pitch, wide):
    """wide (filters, rows, columns) = 0, with y[o] added at the places where[o], counted in rows of `pitch`."""
    filters, rows, columns = y.shape
    wide[:] = 0
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                place = where[o, r, q]
                row = place // pitch
                wide[o, row, place - row * pitch] += y[o, r, q]


@exact
def conv_x_at(factors, y, w, where, down, right, down_step, right_step, rows, columns, seen, wide, x):
    """`conv_x` for outputs that are 0 but at the places `where`, in which they are y."""
    filters = w.shape[0]
    flat_filters = w.reshape(filters, seen.shape[0])
    pitch = x.shape[3] if down == 1 and right == 1 else columns
    for i in range(x.shape[0]):
        put(y[i], where[i], pitch, wide.reshape(filters, rows, columns))
        matmul(factors, flat_filters.T, wide, seen)
        x[i] = 0
        add_back(seen, w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, columns, x[i])


@exact
def conv_w_at(factors, x, y, where, down, right, down_step, right_step, rows, columns, seen, wide, w):
    """`conv_w` for outputs that are 0 but at the places `where`, in which they are y."""
    filters = w.shape[0]
    flat_filters = w.reshape(filters, seen.shape[0])
    pitch = x.shape[3] if down == 1 and right == 1 else columns
    flat_filters[:] = 0
    for i in range(x.shape[0]):
        look(x[i], w.shape[2], w.shape[3], down, right, down_step, right_step, rows, columns, columns, seen)
        put(y[i], where[i], pitch, wide.reshape(filters, rows, columns))
        matmul(factors, wide, seen.T, flat_filters)


@exact
def max_pool(x, height, width, down, right, out):
    """The largest pixel of each window; nan if there is one."""
    images, channels, rows, columns = out.shape
    for n in range(images):
        for c in range(channels):
            for r in range(rows):
                for q in range(columns):
                    best = x[n, c, r * down, q * right]
                    for a in range(height):
                        for b in range(width):
                            pixel = x[n, c, r * down + a, q * right + b]
                            best = pixel if pixel > best or pixel != pixel else best
                    out[n, c, r, q] = best


@exact
def avg_pool(x, height, width, down, right, out):
    """The mean of each window."""
    images, channels, rows, columns = out.shape
    for n in range(images):
        for c in range(channels):
            for r in range(rows):
                for q in range(columns):
                    total = x.dtype.type(0)
                    for a in range(height):
                        for b in range(width):
                            total += x[n, c, r * down + a, q * right + b]
                    out[n, c, r, q] = total / (height * width)


@exact
def share_out(y, height, width, down, right, out):
    """The adjoint of `avg_pool`: each number in equal parts to the pixels of its window."""
    images, channels, rows, columns = y.shape
    out[:] = 0
    for n in range(images):
        for c in range(channels):
            for r in range(rows):
                for q in range(columns):
                    for a in range(height):
                        for b in range(width):
                            out[n, c, r * down + a, q * right + b] += y[n, c, r, q] / (height * width)
