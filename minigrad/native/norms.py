"""Normalization row by row, for compiled programs: mean 0, variance 1, and back. See ops/normalize.py."""

from __future__ import annotations

from minigrad.native.compiled import filling, inlined_sum, math
from minigrad.native.kernels import sum_of


@inlined_sum
def _squares(row, mean):
    """The sum of squared distances from the mean."""
    total = row.dtype.type(0)
    for j in range(row.size):
        total += (row[j] - mean) * (row[j] - mean)
    return total


@inlined_sum
def _products(row, mean, other):
    total = row.dtype.type(0)
    for j in range(row.size):
        total += (row[j] - mean) * other[j]
    return total


@filling
def normalize(a, length, eps, out):
    """(a - mean) / sqrt(variance + eps) for every `length` numbers."""
    rows, results = a.reshape(a.size // length, length), out.reshape(a.size // length, length)
    for i in range(rows.shape[0]):
        row, result = rows[i], results[i]
        mean = row.dtype.type(sum_of(row) / length)
        factor = row.dtype.type(1 / math.sqrt(_squares(row, mean) / length + eps))
        for j in range(length):
            result[j] = (row[j] - mean) * factor


@filling
def normalize_slope(a, t, length, eps, out):
    """(t - mean t - v * mean of v t) / s, where v = (a - mean a) / s and s = sqrt(variance of a + eps)."""
    rows, results = a.reshape(a.size // length, length), out.reshape(a.size // length, length)
    others = t.reshape(a.size // length, length)
    for i in range(rows.shape[0]):
        row, other, result = rows[i], others[i], results[i]
        mean = row.dtype.type(sum_of(row) / length)
        factor = row.dtype.type(1 / math.sqrt(_squares(row, mean) / length + eps))
        mean_of_other = row.dtype.type(sum_of(other) / length)
        share = row.dtype.type(_products(row, mean, other) / length) * factor * factor
        for j in range(length):
            result[j] = (other[j] - mean_of_other - (row[j] - mean) * share) * factor
