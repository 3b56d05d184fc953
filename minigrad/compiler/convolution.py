"""Convolution and pooling for compiled programs, forwards and backwards, one image at a time so that it stays in cache.

A convolution is a product of the filters, flat, with a matrix that has a row for each entry of a filter: the pixels that
this entry meets as the filter slides. These rows are pieces of the image itself, each from another pixel on, so nobody
writes the matrix down; a table says where they begin (products.py). For that an image counts as one long row. Where the
filter would hang over the right edge, there are some numbers too many, which are computed and never read.

    the image, 4 x 4        in one row                      what the 4 entries of a filter of 2 x 2 meet
    0  1  2  3
    4  5  6  7              0 1 2 3 4 5 6 ... 15            from 0 on, from 1 on, from 4 on, from 5 on: 11 numbers
    8  9 10 11                                              each, of which the 4th and the 8th are too many
   12 13 14 15

With a stride of 2, an entry of the filter meets every other pixel. So the image is split into planes first: pixels in
even and in odd rows and columns. In its plane, each entry meets neighbours again.

Backwards, what hangs over the edge is 0, and so is the adjoint of each pixel that lost in its window. They are
multiplied along, which changes nothing while all numbers are finite. Where one is not, 0 times it is nan, and only what
the formula has may count: then plain loops do it.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.kernels import exact, maximum, summing
from minigrad.compiler.products import add_matmul_of_pieces, matmul_by_pieces
from minigrad.ops import pool as eager

# The same kernels as when a graph runs uncompiled.
winners, pick, place = (kernel.compiled() for kernel in (eager._winners, eager._pick, eager._place))  # type: ignore[attr-defined]


@exact
def split(image, down, right, planes):
    """planes (channels, down * right, rows, columns) = an image's pixels, by where they lie between two strides."""
    channels, height, width = image.shape
    rows, columns = planes.shape[2:]
    for c in range(channels):
        for a in range(down):
            for b in range(right):
                plane = planes[c, a * right + b]
                for r in range(rows):
                    for q in range(columns):
                        inside = r * down + a < height and q * right + b < width
                        plane[r, q] = image[c, r * down + a, q * right + b] if inside else 0


@exact
def look_up(channels, kernel_rows, kernel_columns, down, right, down_step, right_step, rows, columns, table):
    """Fill the table: where in an image, split into planes of so many rows and columns, each entry of a filter begins."""
    entry = 0
    for c in range(channels):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                y, x = a * down_step, b * right_step
                plane = (c * down + y % down) * right + x % right
                table[entry] = (plane * rows + y // down) * columns + x // right
                entry += 1


@summing
def all_finite(numbers):
    """Whether there is no infinity and no nan among the numbers of a vector."""
    others = 0
    for k in range(numbers.size):
        others += 0 if abs(numbers[k]) < np.inf else 1
    return others == 0


@exact
def conv_y(x, w, down, right, down_step, right_step, table, planes, wide, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, kh, kw)."""
    n, filters, rows, columns = y.shape
    pitch = planes.shape[3]
    look_up(*w.shape[1:], down, right, down_step, right_step, *planes.shape[2:], table)
    for i in range(n):
        pixels = x[i].reshape(x[i].size)
        if down > 1 or right > 1:
            split(x[i], down, right, planes)
            pixels = planes.reshape(planes.size)
        matmul_by_pieces(y.dtype.type(1), w.reshape(filters, table.size), pixels, table, wide)
        for o in range(filters):
            for r in range(rows):
                for q in range(columns):
                    y[i, o, r, q] = wide[o, r * pitch + q]


@exact
def conv_pool(
    x, w, bias, down, right, down_step, right_step, height, width, pool_down, pool_right, table, planes, wide, where, out
):
    """out = the largest of each window of the convolution of x and w; where: its place in an image's row of `wide`.

    The convolution itself is never written down: one image of it at a time lies in `wide`. bias: what is added to each
    channel later.
    """
    filters, pitch = w.shape[0], planes.shape[3]
    look_up(*w.shape[1:], down, right, down_step, right_step, *planes.shape[2:], table)
    for i in range(x.shape[0]):
        pixels = x[i].reshape(x[i].size)
        if down > 1 or right > 1:
            split(x[i], down, right, planes)
            pixels = planes.reshape(planes.size)
        matmul_by_pieces(out.dtype.type(1), w.reshape(filters, table.size), pixels, table, wide)
        for o in range(filters):
            foresee(wide[o], bias[o])
            if height == 2 and width == 2 and pool_down == 2 and pool_right == 2:
                pool_by_two(wide[o], pitch, where[i, o], out[i, o])
            else:
                pool(wide[o], pitch, height, width, pool_down, pool_right, where[i, o], out[i, o])


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
def pool(row, pitch, height, width, down, right, where, out):
    """Windows of any size, in one long row."""
    rows, columns = out.shape
    for r in range(rows):
        for q in range(columns):
            place = r * down * pitch + q * right
            best = row[place]
            for a in range(height):
                for b in range(width):
                    here = (r * down + a) * pitch + q * right + b
                    if row[here] > best or row[here] != row[here]:
                        best, place = row[here], here
            out[r, q] = best
            where[r, q] = place


# ---------------------------------------------------------------- back to the images


@exact
def turn_over(w, down, right, down_step, right_step, plane, columns, length, table, turned):
    """What carries adjoints back to one plane of an image: which weights, and where in `spread` each of them begins.

    turned (channels, entries): the weights that meet this plane. columns: of a plane. length: of a row of `spread`, at
    the end of which the plane lies. Returns how many entries there are.
    """
    filters, channels, kernel_rows, kernel_columns = w.shape
    entry = 0
    for o in range(filters):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                y, x = a * down_step, b * right_step
                if (y % down) * right + x % right == plane:
                    behind = ((kernel_rows - 1) * down_step // down - y // down) * columns
                    table[entry] = o * length + behind + (kernel_columns - 1) * right_step // right - x // right
                    for c in range(channels):
                        turned[c, entry] = w[o, c, a, b]
                    entry += 1
    return entry


@exact
def carry_back(spread, w, down, right, down_step, right_step, table, turned, planes, x):
    """x = an image's adjoint. spread (filters, length): the outputs' adjoints, each filter's in one long row, 0 around."""
    channels, phases, rows, columns = planes.shape
    height, width = x.shape[1:]
    size = rows * columns
    for plane in range(phases):
        entries = turn_over(w, down, right, down_step, right_step, plane, columns, spread.shape[1], table, turned)
        weights, pixels = turned[:, :entries], spread.reshape(spread.size)
        if phases == 1:
            matmul_by_pieces(x.dtype.type(1), weights, pixels, table[:entries], x.reshape(channels, size))
            return
        result = planes.reshape(channels, phases * size)[:, plane * size : (plane + 1) * size]
        if entries:
            matmul_by_pieces(x.dtype.type(1), weights, pixels, table[:entries], result)
        else:
            result[:] = 0
    for c in range(channels):
        for r in range(height):
            for q in range(width):
                x[c, r, q] = planes[c, (r % down) * right + q % right, r // down, q // right]


@exact
def room_before(w, down, right, down_step, right_step, columns):
    """How many zeros stand before the first adjoint in a row of `spread`."""
    return (w.shape[2] - 1) * down_step // down * columns + (w.shape[3] - 1) * right_step // right


@exact
def conv_x(y, w, down, right, down_step, right_step, table, turned, spread, planes, x):
    """x = what carries an adjoint y of the outputs back to the images: each output adds its filter, times itself."""
    n, filters, rows, columns = y.shape
    pitch = planes.shape[3]
    start = room_before(w, down, right, down_step, right_step, pitch)
    finite = all_finite(w.reshape(w.size))
    spread[:] = 0
    for i in range(n):
        for o in range(filters):
            for r in range(rows):
                for q in range(columns):
                    spread[o, start + r * pitch + q] = y[i, o, r, q]
        if finite:
            carry_back(spread, w, down, right, down_step, right_step, table, turned, planes, x[i])
        else:
            back_by_loops(spread, start, pitch, rows, columns, w, down, right, down_step, right_step, x[i])


@exact
def conv_x_at(y, w, where, down, right, down_step, right_step, rows, columns, table, turned, spread, planes, x):
    """`conv_x` for outputs that are 0 but at the places `where`, in which they are y."""
    filters, pitch = w.shape[0], planes.shape[3]
    start = room_before(w, down, right, down_step, right_step, pitch)
    finite = all_finite(w.reshape(w.size))
    for i in range(y.shape[0]):
        spread[:] = 0
        for o in range(filters):
            put(y[i, o], where[i, o], spread[o, start:])
        if finite:
            carry_back(spread, w, down, right, down_step, right_step, table, turned, planes, x[i])
        else:
            back_by_loops(spread, start, pitch, rows, columns, w, down, right, down_step, right_step, x[i])


@exact
def put(y, where, row):
    """Add the adjoints y of a channel's windows at the places `where` of its row."""
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            row[where[r, q]] += y[r, q]


@exact
def back_by_loops(spread, start, pitch, rows, columns, w, down, right, down_step, right_step, x):
    """`carry_back`, with every product that the formula has, one at a time, and no other."""
    filters, channels, kernel_rows, kernel_columns = w.shape
    x[:] = 0
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                adjoint = spread[o, start + r * pitch + q]
                for c in range(channels):
                    for a in range(kernel_rows):
                        for b in range(kernel_columns):
                            x[c, r * down + a * down_step, q * right + b * right_step] += adjoint * w[o, c, a, b]


# ---------------------------------------------------------------- to the filters


@exact
def conv_w(x, y, down, right, down_step, right_step, table, planes, adjoints, turned, w):
    """w = what carries an adjoint y of the outputs back to the filters: the pixels that each entry met, times y."""
    n, filters, rows, columns = y.shape
    pitch = planes.shape[3]
    look_up(*w.shape[1:], down, right, down_step, right_step, *planes.shape[2:], table)
    turned[:] = 0
    adjoints[:] = 0
    w[:] = 0
    for i in range(n):
        for o in range(filters):
            for r in range(rows):
                for q in range(columns):
                    adjoints[r * pitch + q, o] = y[i, o, r, q]
        gather_patches(x[i], adjoints, rows, columns, down, right, down_step, right_step, table, planes, turned, w)
    add_turned(turned, w)


@exact
def conv_w_at(x, y, where, down, right, down_step, right_step, rows, columns, table, planes, adjoints, turned, w):
    """`conv_w` for outputs that are 0 but at the places `where`, in which they are y."""
    look_up(*w.shape[1:], down, right, down_step, right_step, *planes.shape[2:], table)
    turned[:] = 0
    w[:] = 0
    for i in range(x.shape[0]):
        adjoints[:] = 0
        for o in range(w.shape[0]):
            put(y[i, o], where[i, o], adjoints[:, o])
        gather_patches(x[i], adjoints, rows, columns, down, right, down_step, right_step, table, planes, turned, w)
    add_turned(turned, w)


@exact
def gather_patches(image, adjoints, rows, columns, down, right, down_step, right_step, table, planes, turned, w):
    """turned (entries, filters) += the pixels that each entry met, times adjoints (places, filters).

    Of an image with numbers that are not finite, what the formula has is added to w, one product at a time.
    """
    if all_finite(image.reshape(image.size)):
        pixels = image.reshape(image.size)
        if down > 1 or right > 1:
            split(image, down, right, planes)
            pixels = planes.reshape(planes.size)
        add_matmul_of_pieces(image.dtype.type(1), pixels, table, adjoints, turned)
        return
    filters, channels, kernel_rows, kernel_columns = w.shape
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                adjoint = adjoints[r * planes.shape[3] + q, o]
                for c in range(channels):
                    for a in range(kernel_rows):
                        for b in range(kernel_columns):
                            w[o, c, a, b] += adjoint * image[c, r * down + a * down_step, q * right + b * right_step]


@exact
def add_turned(turned, w):
    """w += the transpose of `turned`."""
    entries, filters = turned.shape
    flat = w.reshape(filters, entries)
    for o in range(filters):
        for entry in range(entries):
            flat[o, entry] += turned[entry, o]


# ---------------------------------------------------------------- pooling alone


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
