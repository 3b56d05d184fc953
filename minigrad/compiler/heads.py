"""Attention head by head, for compiled programs: some queries at a time, with all keys that they may look at.

Their scores, the shares made of them, and their adjoints are a few kilobytes, which stay in the nearest cache. Keys and
values are read where they lie, side by side in the rows of qkv; products are tiles (products.py). See ops/attend.py.
"""

from __future__ import annotations

import numpy as np

from minigrad.compiler.compiled import exact, inlined, math, summing
from minigrad.compiler.kernels import exp_of, larger
from minigrad.compiler.products import add_matmul, all_finite, matmul

LANES = 16


@inlined
def _texts(x, steps_first):
    """x with the texts on its first axis."""
    return x.transpose((1, 0, 2) if steps_first else (0, 1, 2))


@exact
def _turn(matrix, out):
    """out = the transpose of a matrix, in one piece."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out[j, i] = matrix[i, j]


@exact
def _largest(row, width, best):
    """The largest of the first `width` entries, found in several lanes at once; nan if there is one."""
    if width < LANES:
        found = row[0]
        for j in range(width):
            found = larger(row[j], found)
        return found
    for lane in range(LANES):
        best[lane] = row[lane]
    for start in range(LANES, width - LANES + 1, LANES):
        for lane in range(LANES):
            best[lane] = larger(row[start + lane], best[lane])
    for lane in range(LANES):  # the last ones, some of them again
        best[lane] = larger(row[width - LANES + lane], best[lane])
    found = best[0]
    for lane in range(1, LANES):
        found = larger(best[lane], found)
    return found


@summing
def _sum(row, width):
    total = row.dtype.type(0)
    for j in range(width):
        total += row[j]
    return total


@summing
def _dot(a, b, width):
    total = a.dtype.type(0)
    for j in range(width):
        total += a[j] * b[j]
    return total


@exact
def _shares(scores, rows, width, seen, each):
    """The softmax of rows of scores. The first sees so many keys; each one sees `each` more, up to the width."""
    best = scores[rows]
    for i in range(rows):
        row = scores[i]
        last = min(width, seen + i * each)
        shift = _largest(row, last, best)
        if not abs(shift) < np.inf:
            shift = row.dtype.type(0)
        for j in range(last):
            row[j] = exp_of(row[j] - shift)
        factor = row.dtype.type(1) / _sum(row, last)
        for j in range(last):
            row[j] *= factor
        for j in range(last, width):
            row[j] = 0


@exact
def attend(qkv, heads, causal, steps_first, keys, scores, out):
    """out = softmax(Q K.T / sqrt(d)) V for each text and each head."""
    texts, results = _texts(qkv, steps_first), _texts(out, steps_first)
    n, steps, size = results.shape
    d, block = size // heads, scores.shape[0] - 1
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    # Later values count 0 times, which is nothing unless one of them is no number: 0 * nan is nan.
    narrow = causal and all_finite(qkv.reshape(n * steps, 3 * size))
    for text in range(n):
        for head in range(heads):
            at = head * d
            _turn(texts[text, :, size + at : size + at + d], keys)
            v = texts[text, :, 2 * size + at : 2 * size + at + d]
            for start in range(0, steps, block):
                stop = min(steps, start + block)
                rows, width = stop - start, stop if narrow else steps
                matmul(scale, texts[text, start:stop, at : at + d], keys[:, :width], scores[:rows, :width])
                _shares(scores, rows, width, start + 1 if causal else width, 1)
                matmul(one, scores[:rows, :width], v[:width], results[text, start:stop, at : at + d])


@exact
def attend_back(qkv, g, heads, causal, steps_first, keys, scores, values, slopes, out):
    """out = the adjoint of qkv, for the adjoint g of what `attend` fills."""
    texts, adjoints, results = _texts(qkv, steps_first), _texts(g, steps_first), _texts(out, steps_first)
    n, steps, size = adjoints.shape
    d, block = size // heads, scores.shape[0] - 1
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    narrow = causal and all_finite(qkv.reshape(n * steps, 3 * size)) and all_finite(g.reshape(n * steps, size))
    out[:] = 0
    for text in range(n):
        for head in range(heads):
            at, k_at, v_at = head * d, size + head * d, 2 * size + head * d
            k = texts[text, :, k_at : k_at + d]
            _turn(k, keys)
            _turn(texts[text, :, v_at : v_at + d], values)
            for start in range(0, steps, block):
                stop = min(steps, start + block)
                rows, width = stop - start, stop if narrow else steps
                q, g_rows = texts[text, start:stop, at : at + d], adjoints[text, start:stop, at : at + d]
                p, s_bar = scores[:rows, :width], slopes[:rows, :width]
                matmul(scale, q, keys[:, :width], p)
                _shares(scores, rows, width, start + 1 if causal else width, 1)
                matmul(one, g_rows, values[:, :width], s_bar)
                for i in range(rows):
                    shares, row = scores[i], slopes[i]
                    mean = _dot(shares, row, width)
                    for j in range(width):
                        row[j] = shares[j] * (row[j] - mean)
                matmul(scale, s_bar, k[:width], results[text, start:stop, at : at + d])
                add_matmul(scale, s_bar.T, q, results[text, :width, k_at : k_at + d])
                add_matmul(one, p.T, g_rows, results[text, :width, v_at : v_at + d])
