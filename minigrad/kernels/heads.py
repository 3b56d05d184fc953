"""Attention head by head, for compiled programs: some queries at a time, with all keys that they may look at.

Their scores, the shares made of them, and their adjoints are a few kilobytes, which stay in the nearest cache. Keys and
values are read where they lie, side by side in the rows of qkv; products are tiles (products.py). See ops/attend.py.
"""

from __future__ import annotations

import numpy as np

from minigrad.kernels.compiled import exact, filling, inlined, inlined_sum, math, on_stack
from minigrad.kernels.kernels import exp_of
from minigrad.kernels.products import add_matmul, all_finite, matmul, turn

ROWS, LANES = 16, 16  # queries that a program asks at a time; numbers that it works on side by side

# Rows of scores are padded to whole vectors of LANES numbers, and loops over a row end where a vector ends: a remainder
# would run number by number. Entries past `count` are garbage until zeroed.


@inlined_sum
def _largest(row, count):
    """Return the largest of the first `count` numbers of a row; 0 if it is infinite or nan."""
    largest = row[0]
    for j in range(1, count):
        largest = row[j] if row[j] > largest else largest
    return largest if abs(largest) < np.inf else row.dtype.type(0)


@inlined
def _powers(row, end, shift):
    """A row of scores becomes exp(score - shift)."""
    for j in range(end):
        row[j] = exp_of(row[j] - shift)


@inlined_sum
def _total(row, count, end):
    """The sum of the first `count` numbers of a row."""
    total = row.dtype.type(0)
    for j in range(end):
        total += row[j] if j < count else row.dtype.type(0)
    return total


@filling
def _shares(scores, rows, width, seen, each):
    """The softmax of up to ROWS rows of scores. The first sees so many keys; each sees `each` more, up to the width.

    One pass after the other over all rows: while one row's maximum or sum is reduced, the processor can work on the
    next; and a loop of exp alone is faster than one that also adds up.
    """
    end = (width + LANES - 1) // LANES * LANES
    of_rows = on_stack(ROWS, scores.dtype.type(0))
    for i in range(rows):
        of_rows[i] = _largest(scores[i], min(width, seen + i * each))
    for i in range(rows):
        _powers(scores[i], end, of_rows[i])
    for i in range(rows):
        of_rows[i] = _total(scores[i], min(width, seen + i * each), end)
    for i in range(rows):
        row, count, factor = scores[i], min(width, seen + i * each), scores.dtype.type(1) / of_rows[i]
        for j in range(end):
            row[j] = row[j] * factor if j < count else scores.dtype.type(0)


@inlined_sum
def _dot(a, b, count, end):
    """Return the sum of products; past the first `count`, b is garbage and a is 0."""
    total = a.dtype.type(0)
    for j in range(end):
        total += a[j] * b[j] if j < count else a.dtype.type(0)
    return total


@filling
def _back(shares, slopes, rows, width):
    """Compute the adjoints of scores from those of shares: each share times its adjoint's deviation from the mean."""
    end = (width + LANES - 1) // LANES * LANES
    for i in range(rows):
        share, row = shares[i], slopes[i]
        mean = _dot(share, row, width, end)
        for j in range(end):
            row[j] = share[j] * (row[j] - mean)


@exact
def attend(qkv, heads, causal, steps_first, keys, scores, out):
    """out = softmax(Q K.T / sqrt(d)) V for each text and each head."""
    n, steps = (qkv.shape[1], qkv.shape[0]) if steps_first else (qkv.shape[0], qkv.shape[1])
    size = out.shape[2]
    d, block = size // heads, scores.shape[0]
    lines, results = qkv.reshape(n * steps, 3 * size), out.reshape(n * steps, size)
    move = n if steps_first else 1  # lines from a position to the next
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    # Later values have weight 0, which has no effect unless one of them is not finite: 0 * nan is nan.
    narrow = causal and all_finite(lines)
    for text in range(n):
        first = text if steps_first else text * steps
        for head in range(heads):
            at, k_at, v_at = head * d, size + head * d, 2 * size + head * d
            turn(lines[first : first + (steps - 1) * move + 1 : move, k_at : k_at + d], keys)
            for start in range(0, steps, block):
                rows = min(block, steps - start)
                width = start + rows if narrow else steps
                low, high = first + start * move, first + (start + rows - 1) * move + 1
                matmul(scale, lines[low:high:move, at : at + d], keys[:, :width], scores[:rows, :width])
                _shares(scores, rows, width, start + 1 if causal else width, 1)
                v = lines[first : first + (width - 1) * move + 1 : move, v_at : v_at + d]
                matmul(one, scores[:rows, :width], v, results[low:high:move, at : at + d])


@exact
def attend_back(qkv, g, heads, causal, steps_first, keys, scores, values, slopes, out):
    """out = the adjoint of qkv, for the adjoint g of what `attend` fills."""
    n, steps = (qkv.shape[1], qkv.shape[0]) if steps_first else (qkv.shape[0], qkv.shape[1])
    size = g.shape[2]
    d, block = size // heads, scores.shape[0]
    lines, adjoints = qkv.reshape(n * steps, 3 * size), g.reshape(n * steps, size)
    results = out.reshape(n * steps, 3 * size)
    move = n if steps_first else 1
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    narrow = causal and all_finite(lines) and all_finite(adjoints)
    out[:] = 0
    for text in range(n):
        first = text if steps_first else text * steps
        for head in range(heads):
            at, k_at, v_at = head * d, size + head * d, 2 * size + head * d
            turn(lines[first : first + (steps - 1) * move + 1 : move, k_at : k_at + d], keys)
            turn(lines[first : first + (steps - 1) * move + 1 : move, v_at : v_at + d], values)
            for start in range(0, steps, block):
                rows = min(block, steps - start)
                width = start + rows if narrow else steps
                low, high = first + start * move, first + (start + rows - 1) * move + 1
                seen = first + (width - 1) * move + 1
                q, g_rows = lines[low:high:move, at : at + d], adjoints[low:high:move, at : at + d]
                p, s_bar = scores[:rows, :width], slopes[:rows, :width]
                matmul(scale, q, keys[:, :width], p)
                _shares(scores, rows, width, start + 1 if causal else width, 1)
                matmul(one, g_rows, values[:, :width], s_bar)
                _back(scores, slopes, rows, width)
                matmul(scale, s_bar, lines[first:seen:move, k_at : k_at + d], results[low:high:move, at : at + d])
                add_matmul(scale, s_bar.T, q, results[first:seen:move, k_at : k_at + d])
                add_matmul(one, p.T, g_rows, results[first:seen:move, v_at : v_at + d])
