"""Attention head by head, for compiled programs: some queries at a time, with all keys that they may look at.

Their scores, the shares made of them, and their adjoints are a few kilobytes, which stay in the nearest cache. A row of
scores is one key's, and queries lie side by side: the softmax goes down the columns, so that a vector holds as many
queries, and is never added up. Keys and values are read where they lie, in the rows of qkv; products are tiles
(products.py). See ops/attend.py.
"""

from __future__ import annotations

import numpy as np

from minigrad.native.compiled import exact, filling, math, on_stack
from minigrad.native.kernels import exp_of
from minigrad.native.products import add_matmul, all_finite, matmul, turn

QUERIES = 16  # that a program asks at a time. Where fewer are left, the last columns are garbage, which nobody reads


@filling
def _shares(scores, keys, first):
    """Take the softmax down each column, over the first `keys` rows; query i sees keys 0 to first + i.

    One pass after the other: a loop of exp alone is faster than one that also adds up.
    """
    number = scores.dtype.type
    largest, totals = on_stack(QUERIES, number(0)), on_stack(QUERIES, number(0))
    for j in range(first + 1, keys):
        for i in range(min(j - first, QUERIES)):
            scores[j, i] = -np.inf  # the share is 0
    for i in range(QUERIES):
        largest[i] = scores[0, i]
        totals[i] = 0
    for j in range(1, keys):
        for i in range(QUERIES):
            largest[i] = scores[j, i] if scores[j, i] > largest[i] else largest[i]
    for i in range(QUERIES):
        largest[i] = largest[i] if abs(largest[i]) < np.inf else number(0)  # nan too
    for j in range(keys):
        for i in range(QUERIES):
            scores[j, i] = exp_of(scores[j, i] - largest[i])
    for j in range(keys):
        for i in range(QUERIES):
            totals[i] += scores[j, i]
    for i in range(QUERIES):
        totals[i] = number(1) / totals[i]
    for j in range(keys):
        for i in range(QUERIES):
            scores[j, i] *= totals[i]


@filling
def _back(shares, slopes, keys):
    """Compute the adjoints of scores from those of shares: each share times its adjoint's deviation from the mean."""
    number = slopes.dtype.type
    means = on_stack(QUERIES, number(0))
    for i in range(QUERIES):
        means[i] = 0
    for j in range(keys):
        for i in range(QUERIES):
            means[i] += shares[j, i] * slopes[j, i]
    for j in range(keys):
        for i in range(QUERIES):
            slopes[j, i] = shares[j, i] * (slopes[j, i] - means[i])


@exact
def attend(qkv, heads, causal, steps_first, queries, scores, out):
    """out = softmax(Q K.T / sqrt(d)) V for each text and each head."""
    n, steps = (qkv.shape[1], qkv.shape[0]) if steps_first else (qkv.shape[0], qkv.shape[1])
    size = out.shape[2]
    d = size // heads
    lines, results = qkv.reshape(n * steps, 3 * size), out.reshape(n * steps, size)
    move = n if steps_first else 1  # lines from a position to the next
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    # Later values have weight 0, which has no effect unless one of them is not finite: 0 * nan is nan.
    narrow = causal and all_finite(lines)
    for text in range(n):
        first = text if steps_first else text * steps
        for head in range(heads):
            at, k_at, v_at = head * d, size + head * d, 2 * size + head * d
            for start in range(0, steps, QUERIES):
                rows = min(QUERIES, steps - start)
                keys = start + rows if narrow else steps
                low, high = first + start * move, first + (start + rows - 1) * move + 1
                seen = first + (keys - 1) * move + 1
                p = scores[:keys, :rows]
                turn(lines[low:high:move, at : at + d], queries[:, :rows])
                matmul(scale, lines[first:seen:move, k_at : k_at + d], queries[:, :rows], p)
                _shares(scores, keys, start if causal else keys)
                matmul(one, p.T, lines[first:seen:move, v_at : v_at + d], results[low:high:move, at : at + d])


@exact
def attend_back(qkv, g, heads, causal, steps_first, queries, scores, adjoints, slopes, out):
    """out = the adjoint of qkv, for the adjoint g of what `attend` fills."""
    n, steps = (qkv.shape[1], qkv.shape[0]) if steps_first else (qkv.shape[0], qkv.shape[1])
    size = g.shape[2]
    d = size // heads
    lines, g_lines = qkv.reshape(n * steps, 3 * size), g.reshape(n * steps, size)
    results = out.reshape(n * steps, 3 * size)
    move = n if steps_first else 1
    one, scale = out.dtype.type(1), out.dtype.type(1 / math.sqrt(d))
    narrow = causal and all_finite(lines) and all_finite(g_lines)
    out[:] = 0
    for text in range(n):
        first = text if steps_first else text * steps
        for head in range(heads):
            at, k_at, v_at = head * d, size + head * d, 2 * size + head * d
            for start in range(0, steps, QUERIES):
                rows = min(QUERIES, steps - start)
                keys = start + rows if narrow else steps
                low, high = first + start * move, first + (start + rows - 1) * move + 1
                seen = first + (keys - 1) * move + 1
                q, g_rows = lines[low:high:move, at : at + d], g_lines[low:high:move, at : at + d]
                k = lines[first:seen:move, k_at : k_at + d]
                p, s_bar = scores[:keys, :rows], slopes[:keys, :rows]
                turn(q, queries[:, :rows])
                turn(g_rows, adjoints[:, :rows])
                matmul(scale, k, queries[:, :rows], p)
                _shares(scores, keys, start if causal else keys)
                matmul(one, lines[first:seen:move, v_at : v_at + d], adjoints[:, :rows], s_bar)
                _back(scores, slopes, keys)
                matmul(scale, s_bar.T, k, results[low:high:move, at : at + d])
                add_matmul(scale, s_bar, q, results[first:seen:move, k_at : k_at + d])
                add_matmul(one, p, g_rows, results[first:seen:move, v_at : v_at + d])
