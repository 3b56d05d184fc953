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

With a stride an entry of the filter meets no neighbours, and vectors lie along the filters. (sh, sw and dh, dw: stride
and dilation along height and width.)

A max pool right after it takes the largest output of each window before anything is written; `where` says which place
won. Along the pixels, the lines of a window of 2 x 2 lie in registers, neighbours side by side. Along the filters, each
place in a window makes a convolution of its own, with the stride of both, and the largest of them are taken entry by
entry. (height, width: of a window. down, right: from a window to the next.)

Backwards, what hangs over the edge is 0, and so is the adjoint of each pixel that lost in its window. They are
multiplied along, or left out, which changes nothing while all numbers are finite. Where one is not, 0 times it is nan,
and only what the formula has may count: then plain loops do it.
"""

from __future__ import annotations

import numpy as np

from minigrad.native import pooling
from minigrad.native.compiled import at_once, exact, filling, inlined, shaped
from minigrad.native.lines import add_windows, copy_lines
from minigrad.native.products import (
    PIXELS,
    VECTOR,
    add_dots_of_lines,
    add_matmul_of_picked,
    add_up_chosen,
    add_up_won,
    all_finite,
    largest_of_products,
    matmul,
    matmul_by_pieces,
    matmul_of_picked,
    turn,
)

# Pooling alone.
max_pool = pooling.max_pool.compiled()
window_argmax = pooling.window_argmax.compiled()


@exact
def are_side_by_side(back, pooled, window, entries, filters, windows, stride, pitch, itemsize):
    """Decide whether vectors lie along the filters, instead of along the pixels, for (rows, columns) of windows.

    Compares the work on an image, in multiplications of vectors. Along the filters, a vector of results takes one for
    each entry of a filter, 5 % more for its loads, and some 12 to be stored and transposed; filters that fill no vector
    are transposed one by one. Along the pixels, a vector of a long row takes some 12 to be stored and joined. Back to
    the filters, each sum is a vector for each line of the outputs, and takes some 25 to be read and stored again.
    (Fitted to the speeds of both ways in 40 shapes, on one core with AVX-512.) Where vectors have 128 bits, no
    instruction loads a part of one, which the ends of lines need: then along filters. So is every convolution with a
    stride, and every pool whose windows (rows, columns, and from one to the next) are not 2 x 2, side by side:
    `largest_of_products` has no other. pitch: from a line of the image to the next.
    """
    if VECTOR == 16 or stride > 1 or (pooled and window != (2, 2, 2, 2)):
        return True
    rows, columns, lanes = windows[0] * window[0], windows[1] * window[1], VECTOR // itemsize
    each = 21 * entries // 20 + 12 + 3 * (filters % lanes)
    along_filters = rows * columns * ((filters + lanes - 1) // lanes) * each
    if back:
        along_pixels = entries * filters * (rows * ((columns + lanes - 1) // lanes) + 25)
    else:
        length = (rows - 1) * pitch + columns
        along_pixels = filters * ((length + lanes - 1) // lanes) * (entries + 12)
    return along_filters < along_pixels


@exact
def covers(x, w):
    """Tell whether a filter is as large as the image: then the convolution is a product of two matrices."""
    return x.shape[2] == w.shape[2] and x.shape[3] == w.shape[3]


@exact
def look_up(channels, kernel_rows, kernel_columns, dh, dw, rows, columns, table):
    """Fill the table with the offset of each filter entry in an image of this size."""
    entry = 0
    for c in range(channels):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                table[entry] = (c * rows + a * dh) * columns + b * dw
                entry += 1


@exact
def look_up_outputs(sh, sw, height, width, down, right, rows, columns, image_columns, places):
    """Fill `places` (places of a window, rows * columns) with the offset of the first pixel under each output."""
    for k in range(height * width):
        for r in range(rows):
            for q in range(columns):
                y, x = (r * down + k // width) * sh, (q * right + k % width) * sw
                places[k, r * columns + q] = y * image_columns + x


@exact
def conv_y(x, w, sh, sw, dh, dw, table, wide, y):
    """y = the convolution of images x (n, c, h, w) with filters w (o, c, kh, kw)."""
    conv_pool(x, w, None, sh, sw, dh, dw, 1, 1, 1, 1, table, wide, None, None, y)


@exact
def conv_pool(
    x, w, bias, sh, sw, dh, dw, height, width, down, right, table, wide, winners, where, out
):  # fmt: skip
    """out = the maximum over each window of the convolution of x and w; where: its place in the window.

    The full convolution is never stored: at most one image of it lies in `wide`. bias: is added to each channel later.
    Without it, and `where`, a window is one output.
    """
    n, filters, rows, columns = out.shape
    windows, count, pitch, one = rows * columns, height * width, x.shape[3], x.dtype.type(1)
    image, entries = x.shape[1] * x.shape[2] * x.shape[3], w.shape[1] * w.shape[2] * w.shape[3]
    flat, offsets = w.reshape(filters, entries), shaped(table, (entries,))
    finite = bias is None or all_finite(bias.reshape(1, filters))
    if where is None and covers(x, w):
        matmul(one, x.reshape(n, image), flat.T, out.reshape(n, filters))
        return
    window, size, pooled = (height, width, down, right), (rows, columns), where is not None
    look_up(*w.shape[1:], dh, dw, *x.shape[2:], offsets)
    if not finite or are_side_by_side(False, pooled, window, entries, filters, size, sh * sw, pitch, x.itemsize):
        firsts = shaped(table[entries:], (count, windows))
        look_up_outputs(sh, sw, height, width, down, right, rows, columns, x.shape[3], firsts)
        rows_of_turned = shaped(wide[wide.size - entries * filters :], (entries, filters))
        turn(flat, rows_of_turned)
        outputs = shaped(wide, (count * windows, filters))
        each = windows * filters
        row, best = wide[: count * each], wide[count * each :]
        for i in range(n):
            pixels = x[i].reshape(image)
            matmul_of_picked(pixels, shaped(firsts, (count * windows,)), offsets, rows_of_turned, outputs)
            if where is None:
                turn(outputs, out[i].reshape(filters, windows))
            else:
                if not finite:
                    add_infinite_bias(row, bias)
                pool_places(shaped(row, (count, each)), winners, best)
                turn(shaped(best, (windows, filters)), out[i].reshape(filters, windows))
                turn(shaped(winners, (windows, filters)), where[i].reshape(filters, windows))
        return
    for i in range(n):
        pixels = x[i].reshape(image)
        if where is None:
            outputs = shaped(wide, (filters, (rows - 1) * pitch + columns))
            matmul_by_pieces(one, flat, pixels, offsets, outputs)
            join_rows(outputs, pitch, out[i])
        else:
            largest_of_products(flat, pixels, offsets, pitch, where[i], out[i])


@filling
def pool_places(outputs, where, best):
    """best, where = the largest of outputs (places of a window, numbers), and its place.

    The first of equal numbers wins; of several nan, the last.
    """
    for k in range(outputs.shape[0]):
        others = outputs[k]
        for j in range(others.size):
            wins = k == 0 or others[j] > best[j] or others[j] != others[j]
            best[j], where[j] = others[j] if wins else best[j], k if wins else where[j]


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


@exact
def add_infinite_bias(row, bias):
    """Add infinite biases before pooling: a whole window becomes infinite or nan, and the first entry must win."""
    for j in range(row.size):
        added = bias[j % bias.size]
        if abs(added) == np.inf:
            row[j] += added


# ---------------------------------------------------------------- back to the images


@exact
def flip_filters(w, dh, dw, columns, length, table, turned):
    """Flip the filters: turned (channels, entries); and list where the adjoints that they meet are in `spread`.

    columns: of an image. length: of a row of `spread`, at the end of which the image lies.
    """
    filters, channels, kernel_rows, kernel_columns = w.shape
    last_row, last_column, entry = (kernel_rows - 1) * dh, (kernel_columns - 1) * dw, 0
    for o in range(filters):
        for a in range(kernel_rows):
            for b in range(kernel_columns):
                table[entry] = o * length + (last_row - a * dh) * columns + last_column - b * dw
                for c in range(channels):
                    turned[c, entry] = w[o, c, a, b]
                entry += 1


@exact
def conv_x(y, w, sh, sw, dh, dw, table, turned, spread, x):
    """x = the adjoint of the images, for an adjoint y of the outputs: each output adds its filter, times itself.

    Without a stride, filters that are flipped slide over the adjoints, each channel's in one padded row of `spread`.
    With one, what each output adds is a product, `turned` (outputs, entries), and is added where it belongs.
    """
    (n, filters, rows, columns), (channels, kernel_rows, kernel_columns) = y.shape, w.shape[1:]
    one, outputs, pixels = x.dtype.type(1), rows * columns, x.shape[2] * x.shape[3]
    flat = w.reshape(filters, channels * kernel_rows * kernel_columns)
    if covers(x, w):
        matmul(one, y.reshape(n, filters), flat, x.reshape(n, channels * pixels))
        return
    if sh * sw > 1:
        across = kernel_columns if dw == 1 else 1
        count = flat.shape[1] // across
        look_up(channels, kernel_rows, kernel_columns // across, dh, dw, *x.shape[2:], table)
        look_up_outputs(sh, sw, 1, 1, 1, 1, rows, columns, x.shape[3], shaped(table[count:], (1, outputs)))
        for i in range(n):
            matmul(one, y[i].reshape(filters, outputs).T, flat, turned)
            x[i][:] = 0
            add_windows(turned, table[count:], table[:count], across, x[i].reshape(channels * pixels))
        return
    start = spread.shape[1] - pixels  # so many zeros stand before the first adjoint
    flip_filters(w, dh, dw, x.shape[3], spread.shape[1], table, turned)
    finite = all_finite(w.reshape(1, w.size))
    spread[:] = 0
    for i in range(n):
        if finite:
            pad_rows(y[i], x.shape[3], start, spread)
            matmul_by_pieces(one, turned, spread.reshape(spread.size), table, x[i].reshape(channels, pixels))
        else:
            x[i][:] = 0
            by_loops(x[i], w, y[i], None, sh, sw, dh, dw, 1, 1, 1, 1, rows, columns, False)


@exact
def conv_x_at(y, w, where, sh, sw, dh, dw, height, width, down, right, rows, columns, table, stamps, sums, x):
    """`conv_x` for a max pool's adjoint y, (rows, columns) of the convolution's outputs: only the winners add filters.

    A window's outputs reach some pixels together. stamps (places of a window, filters, channels and pixels): each
    filter on these pixels, for an output at each place. sums (windows, channels and pixels): what each window adds.
    """
    (n, filters), windows = y.shape[:2], y.shape[2] * y.shape[3]
    high, across = (height - 1) * sh + (w.shape[2] - 1) * dh + 1, (width - 1) * sw + (w.shape[3] - 1) * dw + 1
    lines, firsts = shaped(table, (x.shape[1] * high,)), table[x.shape[1] * high :]
    look_up(x.shape[1], high, 1, 1, 1, *x.shape[2:], lines)
    look_up_outputs(sh, sw, 1, 1, down, right, *y.shape[2:], x.shape[3], shaped(firsts, (1, windows)))
    stamp(w, sh, sw, dh, dw, width, high, across, stamps)
    finite = all_finite(w.reshape(1, w.size))
    for i in range(n):
        x[i][:] = 0
        if finite and all_finite(y[i].reshape(1, y[i].size)):
            chosen = where[i].reshape(filters, windows)
            add_up_chosen(y[i].reshape(filters, windows), chosen, stamps, sums)
            add_windows(sums, firsts, lines, across, x[i].reshape(x[i].size))
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


@exact
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
def conv_w(x, y, sh, sw, dh, dw, table, adjoints, turned, w):
    """w = the adjoint of the filters, for an adjoint y of the outputs: the pixels under each entry, times y."""
    (n, filters, rows, columns), entries = y.shape, w.shape[1] * w.shape[2] * w.shape[3]
    if covers(x, w):
        matmul(x.dtype.type(1), y.reshape(n, filters).T, x.reshape(n, entries), w.reshape(filters, entries))
        return
    size, stride, pitch = (rows, columns), sh * sw, x.shape[3]
    if are_side_by_side(True, False, (1, 1, 1, 1), entries, filters, size, stride, pitch, x.itemsize):
        conv_w_at(x, y, None, sh, sw, dh, dw, 1, 1, 1, 1, rows, columns, table, adjoints, turned, w)
        return
    lanes, offsets = VECTOR // x.itemsize, shaped(table, (entries,))
    look_up(*w.shape[1:], dh, dw, *x.shape[2:], offsets)
    sums = shaped(turned, (entries, filters, lanes))
    sums[:] = 0
    for i in range(n):
        add_dots_of_lines(x[i].reshape(x[i].size), offsets, pitch, y[i], sums)
    flat = w.reshape(filters, entries)
    flat[:] = 0
    for o in range(filters):
        for entry in range(entries):
            for lane in range(lanes):
                flat[o, entry] += sums[entry, o, lane]


@exact
def conv_w_at(x, y, where, sh, sw, dh, dw, height, width, down, right, rows, columns, table, adjoints, turned, w):
    """`conv_w` for the adjoint y of a max pool of (rows, columns) outputs. where: None if y is that of the outputs."""
    (n, filters), windows, places = y.shape[:2], y.shape[2] * y.shape[3], height * width
    entries = w.shape[1] * w.shape[2] * w.shape[3]
    offsets, firsts = shaped(table, (entries,)), shaped(table[entries:], (places, windows))
    look_up(*w.shape[1:], dh, dw, *x.shape[2:], offsets)
    look_up_outputs(sh, sw, height, width, down, right, *y.shape[2:], x.shape[3], firsts)
    lines, sums = shaped(adjoints, (places, windows, filters)), shaped(turned, (entries, filters))
    sums[:] = 0
    w[:] = 0
    for i in range(n):
        # Losers are left out, and what lies beside the windows. Without windows, each product is in the formula.
        if where is not None and not all_finite(x[i].reshape(1, x[i].size)):
            by_loops(x[i], w, y[i], where[i], sh, sw, dh, dw, height, width, down, right, rows, columns, True)
            continue
        if where is None:
            turn(y[i].reshape(filters, windows), lines[0])
        else:
            lines[:] = 0
            scatter_to_winners(y[i].reshape(filters, windows), where[i].reshape(filters, windows), lines)
        of_all = shaped(adjoints, (places * windows, filters))
        add_matmul_of_picked(x[i].reshape(x[i].size), offsets, shaped(firsts, (places * windows,)), of_all, sums)
    flat = w.reshape(filters, entries)
    for o in range(filters):
        for entry in range(entries):
            flat[o, entry] += sums[entry, o]


@filling
def scatter_to_winners(y, where, lines):
    """Write the adjoints y (filters, windows) to `lines` (places of a window, windows, filters), at the winners."""
    for o in range(y.shape[0]):
        for j in range(y.shape[1]):
            lines[where[o, j], j, o] = y[o, j]


@exact
def conv_w_of_winners(x, y, where, sh, sw, dh, dw, height, width, down, right, rows, columns, table, sums, last, w):
    """Do as `conv_w_at`, faster for few filters: each winner multiplies the pixels below it, and losers none.

    sums (filters, lines and parts of the filters' lines, PIXELS): what adds up for each entry, and for pixels that lie
    between entries or beside them, which are not read. last: the last image, and some more numbers behind it.
    """
    (n, filters), windows, places = y.shape[:2], y.shape[2] * y.shape[3], height * width
    channels, kernel_rows, kernel_columns = w.shape[1:]
    count, parts = sums.shape[1], sums.shape[1] // (channels * kernel_rows)
    lines, chosen, firsts = table[:count], table[count : count + places], table[count + places :]
    look_up(channels, kernel_rows, parts, dh, PIXELS, *x.shape[2:], lines)
    look_up(1, height, width, sh, sw, *x.shape[2:], chosen)
    look_up_outputs(sh, sw, 1, 1, down, right, *y.shape[2:], x.shape[3], shaped(firsts, (1, windows)))
    sums[:] = 0
    w[:] = 0
    last[:] = 0
    for i in range(n):
        pixels = x[i].reshape(x[i].size)
        if not all_finite(x[i].reshape(1, x[i].size)):
            by_loops(x[i], w, y[i], where[i], sh, sw, dh, dw, height, width, down, right, rows, columns, True)
            continue
        if i == n - 1:
            for j in range(pixels.size):
                last[j] = pixels[j]
            pixels = last
        won = where[i].reshape(filters, windows)
        add_up_won(y[i].reshape(filters, windows), won, chosen, pixels, firsts, lines, sums)
    for o in range(filters):
        for line in range(channels * kernel_rows):
            of_line = sums[o, line * parts : (line + 1) * parts].reshape(parts * PIXELS)
            for b in range(kernel_columns):
                w[o, line // kernel_rows, line % kernel_rows, b] += of_line[b * dw]
