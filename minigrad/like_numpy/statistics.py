"""Statistics that are made of sums: averages, ranges, what leaves nan out, covariances, questions about all entries."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.arrange import atleast_2d
from minigrad.like_numpy.elementwise import clip, isnan
from minigrad.like_numpy.names import as_numpy
from minigrad.like_numpy.running import cumprod, cumsum
from minigrad.ops import reduce
from minigrad.ops.numbers import floats, has_zero
from minigrad.ops.products import matmul
from minigrad.ops.shape import (
    Axis,
    array_like,
    broadcast_to,
    cast,
    concatenate,
    dtype_of,
    expand_dims,
    normal_axis,
    reshape,
    shape_of,
)


@as_numpy("average")
def average(a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False) -> Any:
    """The mean over axes, on request weighted; returned: and the sum of the weights beside it."""
    a = array_like(a)
    if weights is None:
        result = reduce.mean(a, axis, keepdims)
        total = np.float64(math.prod(shape_of(a)) / max(1, math.prod(shape_of(result))))
    else:
        a, weights = floats(a), floats(array_like(weights))
        if shape_of(weights) != shape_of(a):  # a vector, along the one axis
            k = normal_axis(axis, len(shape_of(a)))  # type: ignore[arg-type]
            weights = reshape(weights, (-1,) + (1,) * (len(shape_of(a)) - k - 1))
        weights = broadcast_to(weights, shape_of(a))
        total = reduce.sum(weights, axis, keepdims)
        if has_zero(total):
            raise ValueError("average divides by the sum of the weights, and these add up to 0")
        result = reduce.sum(a * weights, axis, keepdims) / total
    return (result, broadcast_to(cast(total, dtype_of(result)), shape_of(result))) if returned else result


@as_numpy("count_nonzero")
def count_nonzero(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Any:
    """Count the nonzero entries over axes."""
    return reduce.sum(rules.not_equal(a, 0), axis, keepdims)


def _without(fill: float, f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` of an array in which a number that changes nothing stands in the place of nan."""

    @functools.wraps(f, assigned=())
    def of(a: Any, axis: Any = None, **options: Any) -> Any:
        a = array_like(a)
        return f(rules.where(isnan(a), fill, a) if dtype_of(a).kind == "f" else a, axis, **options)

    of.__doc__ = f"`{f.__name__}` as if there were no nan."
    return of


nansum = as_numpy("nansum")(_without(0.0, reduce.sum))
nanprod = as_numpy("nanprod")(_without(1.0, reduce.prod))
nancumsum = as_numpy("nancumsum")(_without(0.0, cumsum))
nancumprod = as_numpy("nancumprod")(_without(1.0, cumprod))


@as_numpy("nanmax")
def nanmax(a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The largest of the entries that are numbers; nan where there are none."""
    return _nan_of_none(_without(-np.inf, reduce.max), a, axis, keepdims)


@as_numpy("nanmin")
def nanmin(a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The smallest of the entries that are numbers; nan where there are none."""
    return _nan_of_none(_without(np.inf, reduce.min), a, axis, keepdims)


def _nan_of_none(f: Callable[..., Any], a: Any, axis: Axis, keepdims: bool) -> Any:
    result = f(a, axis, keepdims=keepdims)
    return (
        rules.where(rules.equal(_numbers(a, axis, keepdims), 0), np.nan, result) if dtype_of(a).kind == "f" else result
    )


@as_numpy("nanmean")
def nanmean(a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The mean of the entries that are numbers."""
    a = floats(a)
    return nansum(a, axis, keepdims=keepdims) / _numbers(a, axis, keepdims)


@as_numpy("nanvar")
def nanvar(a: Any, axis: Axis = None, keepdims: bool = False, ddof: int = 0) -> Any:
    """The variance of the entries that are numbers; nan of no more of them than ddof."""
    too_few = np.nan if dtype_of(a).kind == "f" else 0.0  # as it is in NumPy
    a = floats(a)
    left_out, free = isnan(a), _numbers(a, axis, keepdims) - ddof
    distances = rules.where(left_out, 0.0, rules.where(left_out, 0.0, a) - nanmean(a, axis, True))
    return reduce.sum(rules.square(distances), axis, keepdims) / rules.where(rules.greater(free, 0), free, too_few)


def _numbers(a: Any, axis: Axis, keepdims: bool) -> Any:
    return cast(reduce.sum(rules.equal(a, a), axis, keepdims), dtype_of(a))


@as_numpy("cov")
def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None) -> Any:
    """Compute the covariance matrix of the rows of m (columns, unless rowvar); of a vector its variance."""
    parts = []
    for part in (m, y):
        if part is not None:
            part = cast(array_like(part), np.float64)
            if len(shape_of(part)) > 2:
                raise ValueError(f"cov takes a vector or a matrix, got shape {shape_of(part)}")
            parts.append(part.T if len(shape_of(part)) == 2 and not rowvar else atleast_2d(part))
    rows = concatenate(parts)
    count = np.float64(shape_of(rows)[1])
    rows = rows - reduce.sum(rows, 1, keepdims=True) / count
    result = matmul(rows, rows.T) / np.maximum(count - ((not bias) if ddof is None else ddof), 0.0)
    return result[0, 0] if shape_of(result) == (1, 1) else result


@as_numpy("corrcoef")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """`cov`, with each row divided by its standard deviation."""
    covariance = cov(x, y, rowvar)
    if not shape_of(covariance):
        return covariance / covariance
    n = np.arange(shape_of(covariance)[0])
    size = rules.sqrt(covariance[n, n])
    return clip(covariance / expand_dims(size, 1) / size, -1, 1)
