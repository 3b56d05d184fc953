"""NumPy's functions of single numbers that need no row in the derivative table, because they are made of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops.numbers import floats
from minigrad.ops.shape import array_like, dtype_of


@as_numpy("isnan")
def isnan(x: Any, /) -> Any:
    """Tell where x is nan, the only value that differs from itself."""
    return rules.not_equal(x, x)


@as_numpy("isfinite")
def isfinite(x: Any, /) -> Any:
    """Tell where x is neither infinite nor nan."""
    return rules.less(rules.abs(x), np.inf)


@as_numpy("logical_not")
def logical_not(x: Any, /) -> Any:
    """Tell where x is 0."""
    return rules.equal(x, 0)


@as_numpy("logical_and")
def logical_and(x1: Any, x2: Any, /) -> Any:
    """Tell where neither is 0."""
    return rules.not_equal(x1, 0) * rules.not_equal(x2, 0)


@as_numpy("logical_or")
def logical_or(x1: Any, x2: Any, /) -> Any:
    """Tell where at least one is not 0."""
    return rules.maximum(rules.not_equal(x1, 0), rules.not_equal(x2, 0))


@as_numpy("logical_xor")
def logical_xor(x1: Any, x2: Any, /) -> Any:
    """Tell where exactly one is not 0."""
    return rules.not_equal(rules.not_equal(x1, 0), rules.not_equal(x2, 0))


@as_numpy("isclose")
def isclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Tell where |a - b| is at most atol + rtol |b|."""
    a, b = floats(a), floats(b)
    near = logical_and(rules.less_equal(rules.abs(a - b), atol + rtol * rules.abs(b)), isfinite(b))
    near = logical_or(near, rules.equal(a, b))
    return logical_or(near, logical_and(isnan(a), isnan(b))) if equal_nan else near


@as_numpy("clip")
def clip(a: Any, a_min: Any = None, a_max: Any = None, *, min: Any = None, max: Any = None) -> Any:
    """a, but at least a_min and at most a_max (or min and max, by their other names); None for no limit."""
    low, high = a_min if min is None else min, a_max if max is None else max
    if dtype_of(a).kind in "iub":  # an infinite limit would make floats of them
        a = a if low is None else rules.maximum(a, low)
        return a if high is None else rules.minimum(a, high)
    return rules.clip(a, -np.inf if low is None else low, np.inf if high is None else high)


@as_numpy("round", "around")
def round(a: Any, decimals: int = 0) -> Any:
    """The nearest number with so many decimals, halves to the even one. Its derivative is 0."""
    a = array_like(a)
    if dtype_of(a).kind in "iu":
        if decimals >= 0:
            return array_like(a)
        raise TypeError(
            f"round takes integers to ones, and not to decimals={decimals}. Convert them: mg.cast(a, float)"
        )
    if decimals == 0:
        return rules.rint(a)
    power = 10.0 ** abs(decimals)
    return rules.rint(a * power) / power if decimals > 0 else rules.rint(a / power) * power


@as_numpy("where")
def where(condition: Any, *choices: Any) -> Any:
    """The first choice where the condition is not 0, else the second."""
    if len(choices) != 2:
        raise TypeError(
            "np.where of a condition alone gives places, another number of them in each run. Give both choices: "
            "mg.where(condition, a, b)"
        )
    return rules.where(condition, *choices)
