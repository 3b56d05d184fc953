"""Convolution and pooling for compiled programs, forwards and backwards, one image at a time so that it stays in cache.

A convolution is a product of the filters, flat, with a matrix that has a row for each entry of a filter: the pixels
that this entry meets as the filter slides. These rows are pieces of the image itself, each from another pixel on, so
nobody writes the matrix down; a table says where they begin (products.py). For that an image counts as one long row.
Where the filter would hang over the right edge, there are some numbers too many, which are computed and never read.

    the image, 4 x 4        in one row                      what the 4 entries of a filter of 2 x 2 meet
    0  1  2  3
    4  5  6  7              0 1 2 3 4 5 6 ... 15            from 0 on, from 1 on, from 4 on, from 5 on: 11 numbers
    8  9 10 11                                              each, of which the 4th and the 8th are too many
   12 13 14 15

With a stride of 2, an entry of the filter meets every other pixel. So the image is split into planes first: pixels in
even and in odd rows and columns. In its plane, each entry meets neighbours again. (sh, sw and dh, dw: stride and
dilation along height and width.)

Backwards, what hangs over the edge is 0, and so is the adjoint of each pixel that lost in its window. They are
multiplied along, which changes nothing while all numbers are finite. Where one is not, 0 times it is nan, and only what
the formula has may count: then plain loops do it.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.compiled import exact, filling, inlined
from minigrad.compiler.products import VECTOR, add_dots_of_pieces, add_matmul_of_pieces, all_finite, matmul_by_pieces
from minigrad.ops import pool as pooling

# Pooling alone.
max_pool = pooling._max_pool.compiled()
window_argmax = pooling._window_argmax.compiled()
gather = pooling._gather.compiled()
scatter_add = pooling._scatter_add.compiled()
avg_pool = pooling._avg_pool.compiled()
share_out = pooling._share_out.compiled()


@exact
def split(image, sh, sw, planes):
    """Copy an image's pixels to planes (channels, down * right, rows, columns), by their phase within a stride."""
    channels, height, width = image.shape
    rows, columns = planes.shape[2:]
    for c in range(channels):
        for a in range(sh):
            for b in range(sw):
                plane = planes[c, a * sw + b]
                for r in range(rows):
                    for q in range(columns):
                        inside = r * sh + a < height and q * sw + b < width
                        plane[r, q] = image[c, r * sh + a, q * sw + b] if inside else 0


@exact
def look_up(channels, kernel_rows, kernel_columns, sh, sw, dh, dw, rows, columns, table):
    """Fill the table with the offset of each filter entry in an image that is split into planes of this size."""
    entry = 0
    for c in range(channels):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                y, x = a * dh, b * dw
                plane = (c * sh + y % sh) * sw + x % sw
                table[entry] = (plane * rows + y // sh) * columns + x // sw
                entry += 1


@exact
def conv_y(x, w, sh, sw, dh, dw, table, planes, wide, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, kh, kw)."""
    n, filters, rows, columns = y.shape
    pitch = planes.shape[3]
    look_up(*w.shape[1:], sh, sw, dh, dw, *planes.shape[2:], table)
    for i in range(n):
        pixels = x[i].reshape(x[i].size)
        if sh > 1 or sw > 1:
            split(x[i], sh, sw, planes)
            pixels = planes.reshape(planes.size)
        matmul_by_pieces(y.dtype.type(1), w.reshape(filters, table.size), pixels, table, wide)
        for o in range(filters):
            for r in range(rows):
                for q in range(columns):
                    y[i, o, r, q] = wide[o, r * pitch + q]


@exact
def conv_pool(x, w, bias, sh, sw, dh, dw, height, width, pool_sh, pool_sw, table, planes, wide, where, out):
    """out = the maximum over each window of the convolution of x and w; where: its place in an image's row of `wide`.

    The full convolution is never stored: one image of it at a time lies in `wide`. bias: is added to each channel
    later.
    """
    filters, rows, columns = out.shape[1:]
    pitch = planes.shape[3]
    wide_row, where_row, out_row = wide.reshape(wide.size), where.reshape(where.size), out.reshape(out.size)
    look_up(*w.shape[1:], sh, sw, dh, dw, *planes.shape[2:], table)
    for i in range(x.shape[0]):
        pixels = x[i].reshape(x[i].size)
        if sh > 1 or sw > 1:
            split(x[i], sh, sw, planes)
            pixels = planes.reshape(planes.size)
        matmul_by_pieces(out.dtype.type(1), w.reshape(filters, table.size), pixels, table, wide)
        for o in range(filters):
            add_infinite_bias(wide[o], bias[o])
            if height == 2 and width == 2 and pool_sh == 2 and pool_sw == 2:
                first = (i * filters + o) * rows * columns
                pool_by_two(wide_row, o * wide.shape[1], pitch, rows, columns, first, where_row, out_row)
            else:
                pool(wide[o], pitch, height, width, pool_sh, pool_sw, where[i, o], out[i, o])


@exact
def add_infinite_bias(row, bias):
    """Add an infinite bias before pooling: the whole window becomes infinite or nan, and the first entry must win."""
    if abs(bias) == np.inf:
        for j in range(row.size):
            row[j] += bias


SIDE_BY_SIDE = 16  # windows of 2 x 2 that are compared together: as many as a wide vector holds


@exact
def pool_by_two(wide, begin, pitch, rows, columns, first, where, out):
    """Pool the windows of 2 x 2 of one channel, whose row begins at `begin`; write the results from `first` on.

    All arrays are passed as vectors. A vector of windows at a time, without branches, because the winner is
    unpredictable (branch mispredictions). Entries past the last window of a line are compared too, and overwritten by
    the next line.
    """
    for r in range(rows):
        start = begin + 2 * r * pitch
        for q in range(0, columns, SIDE_BY_SIDE):
            upper, lower = start + 2 * q, start + 2 * q + pitch
            place, target = 2 * r * pitch + 2 * q, first + r * columns + q
            enough = lower + 2 * SIDE_BY_SIDE <= wide.size and target + SIDE_BY_SIDE <= out.size
            if enough:  # a number of windows that is known makes vectors of them
                windows_of_two(wide[upper:], wide[lower:], pitch, place, SIDE_BY_SIDE, where[target:], out[target:])
            else:
                for k in range(min(SIDE_BY_SIDE, columns - q)):
                    above, below = wide[upper + 2 * k :], wide[lower + 2 * k :]
                    windows_of_two(above, below, pitch, place + 2 * k, 1, where[target + k :], out[target + k :])


@inlined
def windows_of_two(upper, lower, pitch, place, count, where, out):
    """Pool `count` windows of 2 x 2, side by side. The first of equal maxima wins; of several nan, the last."""
    for q in range(count):
        a, b, c, d = upper[2 * q], upper[2 * q + 1], lower[2 * q], lower[2 * q + 1]
        above = b > a or b != b
        best, winner = b if above else a, 1 if above else 0
        beside = d > c or d != d
        other, loser = d if beside else c, pitch + 1 if beside else pitch
        below = other > best or other != other
        out[q] = other if below else best
        where[q] = place + 2 * q + (loser if below else winner)


@exact
def pool(row, pitch, height, width, sh, sw, where, out):
    """Windows of any size, in one long row."""
    rows, columns = out.shape
    for r in range(rows):
        for q in range(columns):
            place = r * sh * pitch + q * sw
            best = row[place]
            for a in range(height):
                for b in range(width):
                    here = (r * sh + a) * pitch + q * sw + b
                    if row[here] > best or row[here] != row[here]:
                        best, place = row[here], here
            out[r, q] = best
            where[r, q] = place


# ---------------------------------------------------------------- back to the images


@exact
def flip_filters(w, sh, sw, dh, dw, columns, length, counts, table, turned):
    """Flip the filters: for each plane of an image, list the weights and their offsets in `spread`.

    counts: of each plane. table, turned (channels, entries): plane by plane. columns: of a plane. length: of a row of
    `spread`, at the end of which the plane lies.
    """
    filters, channels, kernel_rows, kernel_columns = w.shape
    last_row, last_column = (kernel_rows - 1) * dh // sh, (kernel_columns - 1) * dw // sw
    entry = 0
    for plane in range(counts.size):
        counts[plane] = -entry
        for o in range(filters):
            for a in range(kernel_rows):
                for b in range(kernel_columns):
                    y, x = a * dh, b * dw
                    if (y % sh) * sw + x % sw == plane:
                        table[entry] = o * length + (last_row - y // sh) * columns + last_column - x // sw
                        for c in range(channels):
                            turned[c, entry] = w[o, c, a, b]
                        entry += 1
        counts[plane] += entry


@exact
def conv_transpose_image(spread, sh, sw, counts, table, turned, planes, x):
    """x = the adjoint of an image. spread (filters, length): the outputs' adjoints, each filter's in one padded row."""
    channels, phases, rows, columns = planes.shape
    size = rows * columns
    pixels = spread.reshape(spread.size)
    if phases == 1:
        matmul_by_pieces(x.dtype.type(1), turned, pixels, table, x.reshape(channels, size))
        return
    begin = 0
    for plane in range(phases):
        end = begin + counts[plane]
        result = planes.reshape(channels, phases * size)[:, plane * size : (plane + 1) * size]
        matmul_by_pieces(x.dtype.type(1), turned[:, begin:end], pixels, table[begin:end], result)
        begin = end
    for c in range(channels):
        for r in range(x.shape[1]):
            for q in range(x.shape[2]):
                x[c, r, q] = planes[c, (r % sh) * sw + q % sw, r // sh, q // sw]


@exact
def conv_x(y, w, sh, sw, dh, dw, counts, table, turned, spread, planes, x):
    """x = the adjoint of the images, for an adjoint y of the outputs: each output adds its filter, times itself."""
    rows, columns = y.shape[2:]
    conv_x_at(y, w, None, sh, sw, dh, dw, rows, columns, counts, table, turned, spread, planes, x)


@exact
def conv_x_at(y, w, where, sh, sw, dh, dw, rows, columns, counts, table, turned, spread, planes, x):
    """`conv_x` for outputs that are 0 except at the places `where`, at which they are y; where: None for all."""
    pitch = planes.shape[3]
    # So many zeros stand before the first adjoint in a row of `spread`.
    start = (w.shape[2] - 1) * dh // sh * pitch + (w.shape[3] - 1) * dw // sw
    flip_filters(w, sh, sw, dh, dw, pitch, spread.shape[1], counts, table, turned)
    finite = all_finite(w.reshape(1, w.size))
    spread[:] = 0
    for i in range(y.shape[0]):
        if where is None:
            pad_rows(y[i], pitch, spread[:, start:])
        else:
            spread[:] = 0
            scatter_to_argmax(y[i], where[i], spread[:, start:])
        if finite:
            conv_transpose_image(spread, sh, sw, counts, table, turned, planes, x[i])
        else:
            back_by_loops(spread, start, pitch, rows, columns, w, sh, sw, dh, dw, x[i])


@filling
def pad_rows(y, pitch, rows):
    """Copy the adjoints y of each channel to a padded row, `pitch` places for each line."""
    for o in range(y.shape[0]):
        for r in range(y.shape[1]):
            for q in range(y.shape[2]):
                rows[o, r * pitch + q] = y[o, r, q]


@filling
def scatter_to_argmax(y, where, rows):
    """Scatter the adjoints y of each channel's windows to the argmax places `where` of its row."""
    for o in range(y.shape[0]):
        for r in range(y.shape[1]):
            for q in range(y.shape[2]):
                rows[o, where[o, r, q]] += y[o, r, q]


@exact
def back_by_loops(spread, start, pitch, rows, columns, w, sh, sw, dh, dw, x):
    """`conv_transpose_image` by plain loops: exactly the products in the formula, one at a time."""
    filters, channels, kernel_rows, kernel_columns = w.shape
    x[:] = 0
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                adjoint = spread[o, start + r * pitch + q]
                for c in range(channels):
                    for a in range(kernel_rows):
                        for b in range(kernel_columns):
                            x[c, r * sh + a * dh, q * sw + b * dw] += adjoint * w[o, c, a, b]


# ---------------------------------------------------------------- to the filters

SUMMED = 7  # steps that it takes to add up the lanes of a vector


@exact
def conv_w(x, y, sh, sw, dh, dw, table, planes, adjoints, turned, w):
    """w = the adjoint of the filters, for an adjoint y of the outputs: the pixels under each entry, times y."""
    rows, columns = y.shape[2:]
    conv_w_at(x, y, None, sh, sw, dh, dw, rows, columns, table, planes, adjoints, turned, w)


@exact
def conv_w_at(x, y, where, sh, sw, dh, dw, rows, columns, table, planes, adjoints, turned, w):
    """`conv_w` for outputs that are 0 except at the places `where`, at which they are y; where: None for all."""
    look_up(*w.shape[1:], sh, sw, dh, dw, *planes.shape[2:], table)
    turned[:] = 0
    adjoints[:] = 0
    w[:] = 0
    long, side_by_side = adjoints.reshape(adjoints.shape[1], adjoints.shape[0]), adjoints.T
    lines = long[:, ::1] if are_long(adjoints) else side_by_side[:, ::1]
    for i in range(x.shape[0]):
        if where is None:
            pad_rows(y[i], planes.shape[3], lines)
        else:
            adjoints[:] = 0
            scatter_to_argmax(y[i], where[i], lines)
        gather_patches(x[i], lines, rows, columns, sh, sw, dh, dw, table, planes, turned, w)
    add_turned(turned, w)


@exact
def are_long(adjoints):
    """Decide whether adjoints (places, filters) are transposed: a few filters side by side fill no vector.

    Compares the steps for an entry: for each place some vectors of filters; for each filter some vectors of places.
    """
    places, filters = adjoints.shape
    lanes = VECTOR // adjoints.itemsize
    return filters * (places // lanes + SUMMED) < (filters + lanes - 1) // lanes * places


@exact
def gather_patches(image, adjoints, rows, columns, sh, sw, dh, dw, table, planes, turned, w):
    """turned (entries, filters) += the pixels under each entry, times adjoints (filters, places).

    For an image with non-finite numbers, the products in the formula are added to w one at a time.
    """
    if all_finite(image.reshape(1, image.size)):
        pixels = image.reshape(image.size)
        if sh > 1 or sw > 1:
            split(image, sh, sw, planes)
            pixels = planes.reshape(planes.size)
        if adjoints.strides[1] == adjoints.itemsize:
            add_dots_of_pieces(pixels, table, adjoints, turned)
        else:
            add_matmul_of_pieces(image.dtype.type(1), pixels, table, adjoints.T, turned)
        return
    filters, channels, kernel_rows, kernel_columns = w.shape
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                adjoint = adjoints[o, r * planes.shape[3] + q]
                for c in range(channels):
                    for a in range(kernel_rows):
                        for b in range(kernel_columns):
                            w[o, c, a, b] += adjoint * image[c, r * sh + a * dh, q * sw + b * dw]


@exact
def add_turned(turned, w):
    """w += the transpose of `turned`."""
    entries, filters = turned.shape
    flat = w.reshape(filters, entries)
    for o in range(filters):
        for entry in range(entries):
            flat[o, entry] += turned[entry, o]
