"""Convolution and pooling for compiled programs, forwards and backwards, one image at a time so that it stays in cache.

A convolution is a product of the filters, flat, with a matrix that has a row for each entry of a filter: the pixels
that this entry meets as the filter slides. Nobody writes that matrix down: tables say where its numbers are
(products.py). Vectors lie along the pixels or along the filters, whichever takes less work (`are_side_by_side`).

Along the filters, every number has its place in a table. Along the pixels, a row of the matrix is a piece of the image
itself, which counts as one long row. Where the filter would hang over the right edge, there are some numbers too many,
which are computed and never read.

    the image, 4 x 4        in one row                      what the 4 entries of a filter of 2 x 2 meet
    0  1  2  3
    4  5  6  7              0 1 2 3 4 5 6 ... 15            from 0 on, from 1 on, from 4 on, from 5 on: 11 numbers
    8  9 10 11                                              each, of which the 4th and the 8th are too many
   12 13 14 15

With a stride of 2, an entry of the filter meets every other pixel. So the image is split into planes first: pixels in
even and in odd rows and columns. In its plane, each entry meets neighbours again. (sh, sw and dh, dw: stride and
dilation along height and width.)

A max pool right after it makes one convolution of each place in a window, with the stride of both: all upper left
outputs of windows, all upper right ones, and so on. The largest of them are taken entry by entry. `where` says which
place won. (height, width: of a window. down, right: from a window to the next.)

Backwards, what hangs over the edge is 0, and so is the adjoint of each pixel that lost in its window. They are
multiplied along, or left out, which changes nothing while all numbers are finite. Where one is not, 0 times it is nan,
and only what the formula has may count: then plain loops do it.
"""

from __future__ import annotations

import numpy as np

from minigrad.kernels import pooling
from minigrad.kernels.compiled import at_once, exact, filling, inlined, seldom, shaped
from minigrad.kernels.lines import add_line, copy_lines, every_second, pool_lines, weave_line
from minigrad.kernels.products import (
    VECTOR,
    add_dots_of_lines,
    add_matmul_of_picked,
    add_up_chosen,
    all_finite,
    matmul,
    matmul_by_pieces,
    matmul_of_picked,
    turn,
)

# Pooling alone.
max_pool = pooling.max_pool.compiled()
window_argmax = pooling.window_argmax.compiled()
gather = pooling.gather.compiled()
scatter_add = pooling.scatter_add.compiled()
avg_pool = pooling.avg_pool.compiled()
share_out = pooling.share_out.compiled()


@exact
def are_side_by_side(back, places, entries, filters, rows, columns, planes, itemsize):
    """Decide whether vectors lie along the filters, instead of along the pixels, for outputs (filters, rows, columns).

    Compares the work on an image, for each of so many places in a window, in multiplications of vectors. Along the
    filters, a vector of results takes one for each entry of a filter, 5 % more for its loads, and some 12 to be stored
    and transposed; filters that fill no vector are transposed one by one. Along the pixels, a vector of a long row
    takes some 12 to be stored and joined. Back to the filters, each sum is a vector for each line of the outputs, and
    takes some 25 to be read and stored again. Where there is a stride, a line of a plane takes some 24. (Fitted to the
    speeds of both ways in the shapes of benchmarks/convolutions.py, on one core with AVX-512.)
    Where vectors have 128 bits, no instruction loads a part of one, which the ends of lines need: then along filters.
    """
    if VECTOR == 16:
        return True
    lanes = VECTOR // itemsize
    over, pitch = filters % lanes, planes.shape[3]
    along_filters = rows * columns * ((filters + lanes - 1) // lanes) * (21 * entries // 20 + 12 + 3 * over)
    if back:
        along_pixels = entries * filters * (rows * ((columns + lanes - 1) // lanes) + 25)
    else:
        length = (rows - 1) * pitch + columns
        along_pixels = filters * ((length + lanes - 1) // lanes) * (entries + 12)
    splitting = 24 * planes.shape[0] * planes.shape[1] * planes.shape[2] if planes.shape[1] > 1 else 0
    return places * along_filters < places * along_pixels + splitting


@exact
def covers(x, w):
    """Tell whether a filter is as large as the image: then the convolution is a product of two matrices."""
    return x.shape[2] == w.shape[2] and x.shape[3] == w.shape[3]


@filling
def split(image, sh, sw, planes):
    """Copy an image's pixels to planes (channels, down * right, rows, columns), by their phase within a stride."""
    channels, height, width = image.shape
    rows, columns = planes.shape[2:]
    pixels, target = image.reshape(image.size), planes.reshape(planes.size)
    for c in range(channels):
        for a in range(sh):
            for b in range(sw):
                source, place = (c * height + a) * width + b, ((c * sh + a) * sw + b) * rows * columns
                high, across = (height - a + sh - 1) // sh, (width - b + sw - 1) // sw  # of the plane, in the image
                if high < rows or across < columns:
                    target[place : place + rows * columns] = 0
                if sw == 2:
                    every_second(pixels, source, sh * width, target, place, columns, high, across)
                    continue
                for r in range(high):
                    for q in range(across):
                        target[place + r * columns + q] = pixels[source + r * sh * width + q * sw]


def united(planes, sh, sw, image):
    """Do as `unite` does, a plane of all channels at a time."""
    for phase in range(sh * sw):
        pixels = image[:, phase // sw :: sh, phase % sw :: sw]
        pixels[:] = planes[:, phase, : pixels.shape[1], : pixels.shape[2]]


@at_once(lambda planes, sh, sw, image: united(planes, sh, sw, image))
@filling
def unite(planes, sh, sw, image):
    """Copy the pixels of planes back to an image: the inverse of `split`."""
    channels, height, width = image.shape
    rows, columns = planes.shape[2:]
    source, pixels = planes.reshape(planes.size), image.reshape(image.size)
    for c in range(channels):
        for r in range(height):
            place = (c * height + r) * width
            begin = ((c * sh + r % sh) * sw * rows + r // sh) * columns
            if sw == 2:
                weave_line(source, begin, begin + rows * columns, pixels, place, width)
                continue
            for b in range(sw):
                for q in range((width - b + sw - 1) // sw):
                    pixels[place + b + q * sw] = source[begin + b * rows * columns + q]


@seldom
def look_up(channels, kernel_rows, kernel_columns, first, across, sh, sw, dh, dw, rows, columns, table):
    """Fill the table with the offset of each filter entry in an image that is split into planes of this size.

    first, across: the row and the column of the pixel that the filter's first entry meets first.
    """
    entry = 0
    for c in range(channels):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                y, x = first + a * dh, across + b * dw
                plane = (c * sh + y % sh) * sw + x % sw
                table[entry] = (plane * rows + y // sh) * columns + x // sw
                entry += 1


@seldom
def look_up_places(w, sh, sw, dh, dw, height, width, down, right, planes, table):
    """Fill a table (places of a window, entries): `look_up` for the outputs at each place of their windows."""
    for k in range(height * width):
        first, across = k // width * sh, k % width * sw
        look_up(*w.shape[1:], first, across, sh * down, sw * right, dh, dw, *planes.shape[2:], table[k])


@seldom
def look_up_outputs(sh, sw, height, width, down, right, rows, columns, image_columns, places):
    """Fill `places` (places of a window, rows * columns) with the offset of the first pixel under each output."""
    for k in range(height * width):
        for r in range(rows):
            for q in range(columns):
                y, x = (r * down + k // width) * sh, (q * right + k % width) * sw
                places[k, r * columns + q] = y * image_columns + x


@exact
def conv_y(x, w, sh, sw, dh, dw, table, planes, wide, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, kh, kw)."""
    conv_pool(x, w, None, sh, sw, dh, dw, 1, 1, 1, 1, table, planes, wide, None, None, y)


@exact
def conv_pool(
    x, w, bias, sh, sw, dh, dw, height, width, down, right, table, planes, wide, winners, where, out
):  # fmt: skip
    """out = the maximum over each window of the convolution of x and w; where: its place in the window.

    The full convolution is never stored: one image of it at a time lies in `wide`. bias: is added to each channel
    later. Without it, and `where`, a window is one output.
    """
    n, filters, rows, columns = out.shape
    windows, count, pitch, one = rows * columns, height * width, planes.shape[3], x.dtype.type(1)
    image, entries = x.shape[1] * x.shape[2] * x.shape[3], w.shape[1] * w.shape[2] * w.shape[3]
    flat = w.reshape(filters, entries)
    finite = bias is None or all_finite(bias.reshape(1, filters))
    if where is None and covers(x, w):
        matmul(one, x.reshape(n, image), flat.T, out.reshape(n, filters))
        return
    if are_side_by_side(False, count, entries, filters, rows, columns, planes, x.itemsize):
        offsets = shaped(table, (entries,))
        look_up(*w.shape[1:], 0, 0, 1, 1, dh, dw, *x.shape[2:], offsets)
        firsts = shaped(table[count * entries :], (count, windows))
        look_up_outputs(sh, sw, height, width, down, right, rows, columns, x.shape[3], firsts)
        rows_of_turned = shaped(wide[wide.size - entries * filters :], (entries, filters))
        turn(flat, rows_of_turned)
        outputs = shaped(wide, (count * windows, filters))
        size = windows * filters
        row, best = wide[: count * size], wide[count * size :]
        for i in range(n):
            pixels = x[i].reshape(image)
            matmul_of_picked(pixels, shaped(firsts, (count * windows,)), offsets, rows_of_turned, outputs)
            if where is None:
                turn(outputs, out[i].reshape(filters, windows))
            else:
                if not finite:
                    add_infinite_bias(row, bias, 1)
                pool_lines(row, 0, size, size, count, winners, best, 0, 1, size)
                turn(shaped(best, (windows, filters)), out[i].reshape(filters, windows))
                turn(shaped(winners, (windows, filters)), where[i].reshape(filters, windows))
        return
    offsets_of = shaped(table, (count, entries))
    look_up_places(w, sh, sw, dh, dw, height, width, down, right, planes, offsets_of)
    length = (rows - 1) * pitch + columns
    outputs_of = shaped(wide, (count, filters, length))
    row = shaped(wide, (count * filters * length,))
    for i in range(n):
        pixels = x[i].reshape(image)
        if planes.shape[1] > 1:
            split(x[i], sh * down, sw * right, planes)
            pixels = planes.reshape(planes.size)
        for k in range(count):
            matmul_by_pieces(one, flat, pixels, offsets_of[k], outputs_of[k])
        if where is None:
            join_rows(outputs_of[0], pitch, out[i])
        else:
            if not finite:
                add_infinite_bias(row, bias, length)
            largest, won = out.reshape(out.size), where.reshape(where.size)
            for o in range(filters):
                begin, first = o * length, (i * filters + o) * windows
                pool_lines(row, begin, pitch, filters * length, count, won, largest, first, rows, columns)


def as_lines(rows, start, pitch, shape):
    """Long rows (channels, numbers), `pitch` places for each line from `start` on, as images of the shape: a view."""
    along = rows.strides[1]
    return np.lib.stride_tricks.as_strided(rows[:, start:], shape, (rows.strides[0], pitch * along, along))


@at_once(lambda wide, pitch, y: np.copyto(y, as_lines(wide, 0, pitch, y.shape)))
@filling
def join_rows(wide, pitch, y):
    """Copy each channel's long row, `pitch` places for each line, to its outputs."""
    source, target = wide.reshape(wide.size), y.reshape(y.size)
    rows, columns = y.shape[1:]
    for o in range(y.shape[0]):
        copy_lines(source, o * wide.shape[1], pitch, target, o * rows * columns, columns, rows, columns)


@seldom
def add_infinite_bias(row, bias, along):
    """Add infinite biases before pooling: a whole window becomes infinite or nan, and the first entry must win.

    along: so many numbers of a filter lie side by side.
    """
    for j in range(row.size):
        added = bias[j // along % bias.size]
        if abs(added) == np.inf:
            row[j] += added


# ---------------------------------------------------------------- back to the images


@seldom
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
    unite(planes, sh, sw, x)


@exact
def conv_x(y, w, sh, sw, dh, dw, counts, table, turned, spread, planes, x):
    """x = the adjoint of the images, for an adjoint y of the outputs: each output adds its filter, times itself."""
    if covers(x, w):
        n, filters = y.shape[:2]
        entries = w.shape[1] * w.shape[2] * w.shape[3]
        matmul(x.dtype.type(1), y.reshape(n, filters), w.reshape(filters, entries), x.reshape(n, entries))
        return
    pitch = planes.shape[3]
    # So many zeros stand before the first adjoint in a row of `spread`.
    start = (w.shape[2] - 1) * dh // sh * pitch + (w.shape[3] - 1) * dw // sw
    flip_filters(w, sh, sw, dh, dw, pitch, spread.shape[1], counts, table, turned)
    finite = all_finite(w.reshape(1, w.size))
    spread[:] = 0
    for i in range(y.shape[0]):
        if finite:
            pad_rows(y[i], pitch, start, spread)
            conv_transpose_image(spread, sh, sw, counts, table, turned, planes, x[i])
        else:
            x[i][:] = 0
            by_loops(x[i], w, y[i], None, sh, sw, dh, dw, 1, 1, 1, 1, *y.shape[2:], False)


@exact
def conv_x_at(y, w, where, sh, sw, dh, dw, height, width, down, right, rows, columns, stamps, sums, x):
    """`conv_x` for a max pool's adjoint y, (rows, columns) of the convolution's outputs: only the winners add filters.

    A window's outputs reach some pixels together. stamps (places of a window, filters, channels and pixels): each
    filter on these pixels, for an output at each place. sums (windows, channels and pixels): what each window adds.
    """
    (n, filters), windows = y.shape[:2], y.shape[2] * y.shape[3]
    high, across = (height - 1) * sh + (w.shape[2] - 1) * dh + 1, (width - 1) * sw + (w.shape[3] - 1) * dw + 1
    stamp(w, sh, sw, dh, dw, width, high, across, stamps)
    finite = all_finite(w.reshape(1, w.size))
    for i in range(n):
        x[i][:] = 0
        if finite and all_finite(y[i].reshape(1, y[i].size)):
            chosen = where[i].reshape(filters, windows)
            add_up_chosen(y[i].reshape(filters, windows), chosen, stamps, sums)
            add_windows(sums, high, across, sh * down, sw * right, *y.shape[2:], x[i])
        else:
            by_loops(x[i], w, y[i], where[i], sh, sw, dh, dw, height, width, down, right, rows, columns, False)


@exact
def stamp(w, sh, sw, dh, dw, width, high, across, stamps):
    """Fill stamps (places of a window, filters, ...) with each filter on (channels, high, across) pixels, for each."""
    stamps[:] = 0
    for k in range(stamps.shape[0]):
        for o in range(w.shape[0]):
            for c in range(w.shape[1]):
                for a in range(w.shape[2]):
                    for b in range(w.shape[3]):
                        row, column = k // width * sh + a * dh, k % width * sw + b * dw
                        stamps[k, o, (c * high + row) * across + column] = w[o, c, a, b]


@filling
def add_windows(sums, high, across, down, right, rows, columns, x):
    """Add to an image what its windows add to (channels, high, across) pixels each, `down` and `right` apart."""
    channels, _, width = x.shape
    pixels = x.reshape(x.size)
    apart = (across + right - 1) // right  # of so many windows in a row, none meets another
    for part in range(apart):
        for r in range(rows):
            for q in range(part, columns, apart):
                window = sums[r * columns + q]
                for c in range(channels):
                    for a in range(high):
                        place = (c * x.shape[1] + r * down + a) * width + q * right
                        add_line(window, (c * high + a) * across, pixels, place, across)


@at_once(lambda y, pitch, start, rows: np.copyto(as_lines(rows, start, pitch, y.shape), y))
@filling
def pad_rows(y, pitch, start, rows):
    """Copy the adjoints y of each channel to a row, from `start` on and `pitch` places for each line; the rest is 0."""
    source, target = y.reshape(y.size), rows.reshape(rows.size)
    high, across = y.shape[1:]
    for o in range(y.shape[0]):
        copy_lines(source, o * high * across, across, target, o * rows.shape[1] + start, pitch, high, across)


@exact
def conv_back_through_pool(y, where, height, width, down, right, out):
    """out = the adjoint of a convolution's outputs, for that of their max pool: 0 but at the winners."""
    for i in range(out.shape[0]):
        for o in range(out.shape[1]):
            for r in range(out.shape[2]):
                for q in range(out.shape[3]):
                    out[i, o, r, q] = adjoint_at(y[i], where[i], o, r, q, height, width, down, right)


@inlined
def adjoint_at(y, where, o, r, q, height, width, down, right):
    """The adjoint of one output: y's at its window, if it has won there, or 0. where: None without windows."""
    if where is None:
        return y[o, r, q]
    row, column = r // down, q // right
    if row >= y.shape[1] or column >= y.shape[2] or r % down >= height or q % right >= width:
        return y.dtype.type(0)
    return y[o, row, column] if where[o, row, column] == r % down * width + q % right else y.dtype.type(0)


@seldom
def by_loops(x, w, y, where, sh, sw, dh, dw, height, width, down, right, rows, columns, to_filters):
    """Add exactly the products in the formula, one at a time: to the filters w, or to the image x."""
    filters, channels, kernel_rows, kernel_columns = w.shape
    for o in range(filters):
        for r in range(rows):
            for q in range(columns):
                adjoint = adjoint_at(y, where, o, r, q, height, width, down, right)
                for c in range(channels):
                    for a in range(kernel_rows):
                        for b in range(kernel_columns):
                            row, column = r * sh + a * dh, q * sw + b * dw
                            if to_filters:
                                w[o, c, a, b] += adjoint * x[c, row, column]
                            else:
                                x[c, row, column] += adjoint * w[o, c, a, b]


# ---------------------------------------------------------------- to the filters


@exact
def conv_w(x, y, sh, sw, dh, dw, table, planes, adjoints, turned, w):
    """w = the adjoint of the filters, for an adjoint y of the outputs: the pixels under each entry, times y."""
    rows, columns = y.shape[2:]
    conv_w_at(
        x, y, None, sh, sw, dh, dw, 1, 1, 1, 1, rows, columns, table, planes, adjoints, turned, w
    )  # fmt: skip


@exact
def conv_w_at(
    x, y, where, sh, sw, dh, dw, height, width, down, right, rows, columns, table, planes, adjoints, turned, w
):  # fmt: skip
    """`conv_w` for a max pool's adjoint y, (rows, columns) of the convolution's outputs."""
    n, filters = y.shape[:2]
    windows, count, pitch = y.shape[2] * y.shape[3], height * width, planes.shape[3]
    entries = w.shape[1] * w.shape[2] * w.shape[3]
    if where is None and covers(x, w):
        matmul(x.dtype.type(1), y.reshape(n, filters).T, x.reshape(n, entries), w.reshape(filters, entries))
        return
    side_by_side = are_side_by_side(True, count, entries, filters, *y.shape[2:], planes, x.itemsize)
    lanes = 1 if side_by_side else VECTOR // x.itemsize
    sums = shaped(turned, (entries, filters, lanes))
    offsets, firsts = shaped(table, (count, entries)), shaped(table[count * entries :], (count, windows))
    if side_by_side:
        look_up(*w.shape[1:], 0, 0, 1, 1, dh, dw, *x.shape[2:], offsets[0])
        look_up_outputs(sh, sw, height, width, down, right, *y.shape[2:], x.shape[3], firsts)
    else:
        look_up_places(w, sh, sw, dh, dw, height, width, down, right, planes, offsets)
    sums[:] = 0
    adjoints[:] = 0
    w[:] = 0
    for i in range(n):
        # Losers are left out, and what lies beside the windows. Without windows, each product is in the formula.
        if where is not None and not all_finite(x[i].reshape(1, x[i].size)):
            by_loops(x[i], w, y[i], where[i], sh, sw, dh, dw, height, width, down, right, rows, columns, True)
            continue
        pixels = x[i].reshape(x[i].size)
        if side_by_side:
            lines = shaped(adjoints, (count, windows, filters))
            if where is None:
                turn(y[i].reshape(filters, windows), lines[0])
            else:
                lines[:] = 0
                scatter_to_winners(y[i].reshape(filters, windows), where[i].reshape(filters, windows), lines)
            of_all = shaped(adjoints, (count * windows, filters))
            summed = shaped(turned, (entries, filters))
            add_matmul_of_picked(pixels, offsets[0], shaped(firsts, (count * windows,)), of_all, summed)
        else:
            if planes.shape[1] > 1:
                split(x[i], sh * down, sw * right, planes)
                pixels = planes.reshape(planes.size)
            at = None if where is None else where[i]
            for k in range(count):
                add_dots_of_lines(pixels, offsets[k], pitch, y[i], at, k, sums)
    flat = w.reshape(filters, entries)
    for o in range(filters):
        for entry in range(entries):
            for lane in range(lanes):
                flat[o, entry] += sums[entry, o, lane]


@filling
def scatter_to_winners(y, where, lines):
    """Write the adjoints y (filters, windows) to `lines` (places of a window, windows, filters), at the winners."""
    for o in range(y.shape[0]):
        for j in range(y.shape[1]):
            lines[where[o, j], j, o] = y[o, j]
