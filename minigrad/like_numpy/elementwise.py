"""NumPy's functions of single numbers that need no row in the derivative table, because they are made of rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.arrange import roll
from minigrad.like_numpy.names import as_numpy
from minigrad.ops.keys import whole
from minigrad.ops.numbers import float_dtype, floats, has_zero
from minigrad.ops.shape import array_like, cast, dtype_of, moveaxis, reshape, shape_of


@as_numpy("reciprocal")
def reciprocal(x: Any, /) -> Any:
    """1 / x; of integers the integer part of it, as in NumPy."""
    x = array_like(x)
    return 1 / x if dtype_of(x).kind == "f" else cast(1 / x, dtype_of(x))


@as_numpy("logaddexp2")
def logaddexp2(x1: Any, x2: Any, /) -> Any:
    """log2(2**x1 + 2**x2), without overflow."""
    two = math.log(2)
    return rules.logaddexp(floats(x1) * two, floats(x2) * two) / two


@as_numpy("sinc")
def sinc(x: Any, /) -> Any:
    """sin(pi x) / (pi x), and 1 at 0. Near 0 it is a series, so that its derivatives are right there too."""
    y = floats(x) * math.pi
    near = rules.less(rules.abs(y), 0.7)
    square, series = rules.where(near, y * y, 0.0), 0.0
    for k in range(9, -1, -1):
        series = series * square + (-1) ** k / math.factorial(2 * k + 1)
    far = rules.where(near, 1.0, y)
    return rules.where(near, series, rules.sin(far) / far)


@as_numpy("isnan")
def isnan(x: Any, /) -> Any:
    """Tell where x is nan, the only value that differs from itself."""
    return rules.not_equal(x, x)


@as_numpy("isfinite")
def isfinite(x: Any, /) -> Any:
    """Tell where x is neither infinite nor nan."""
    return rules.less(rules.abs(x), np.inf)


@as_numpy("nan_to_num")
def nan_to_num(x: Any, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with other numbers in the place of nan and infinities; the largest ones of its dtype, if none are given."""
    x = array_like(x)
    if dtype_of(x).kind != "f":
        return x
    limits = np.finfo(dtype_of(x))
    x = rules.where(rules.equal(x, np.inf), float(limits.max) if posinf is None else posinf, x)
    x = rules.where(rules.equal(x, -np.inf), float(limits.min) if neginf is None else neginf, x)
    return rules.where(isnan(x), nan, x)


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


@as_numpy("modf")
def modf(x: Any, /) -> tuple[Any, Any]:
    """The part behind the point, and the part before it."""
    x = floats(x)
    whole = rules.trunc(x)
    return rules.where(rules.equal(rules.abs(x), np.inf), 0.0, x - whole), whole


@as_numpy("where")
def where(condition: Any, *choices: Any) -> Any:
    """The first choice where the condition is not 0, else the second."""
    if len(choices) != 2:
        raise TypeError(
            "np.where of a condition alone gives places, another number of them in each run. Give both choices: "
            "mg.where(condition, a, b)"
        )
    return rules.where(condition, *choices)


@as_numpy("select")
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """In each place the choice of the first condition that is true there, else the default."""
    dtype = np.result_type(*(dtype_of(x) if shape_of(x) or hasattr(x, "dtype") else x for x in (*choicelist, default)))
    choices = [np.array(x, dtype) if type(x) in (bool, int, float) else x for x in choicelist]
    chosen = np.array(default, dtype) if type(default) in (bool, int, float) else default
    for condition, choice in reversed([*zip(condlist, choices, strict=True)]):
        chosen = rules.where(condition, choice, chosen)
    return cast(chosen, dtype)


@as_numpy("piecewise")
def piecewise(x: Any, condlist: Sequence[Any], funclist: Sequence[Any]) -> Any:
    """In each place the function (or number) of the last condition that is true there; of none, one more, or 0."""
    x = array_like(x)
    default, functions = (funclist[-1], funclist[:-1]) if len(funclist) > len(condlist) else (0, funclist)
    chosen = default(x) if callable(default) else default
    for condition, f in zip(condlist, functions, strict=True):
        chosen = rules.where(condition, f(x) if callable(f) else f, chosen)
    return cast(chosen, dtype_of(x))


@as_numpy("linspace")
def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True) -> Any:
    """`num` numbers from start to stop, evenly apart, along a new first axis. The last is `stop` itself."""
    start, stop, num = floats(start), floats(stop), whole(num, "how many numbers", 0)
    n = len(np.broadcast_shapes(shape_of(start), shape_of(stop)))
    steps = (np.arange(num) / max(num - bool(endpoint), 1)).astype(float_dtype(start, stop)).reshape(-1, *(1,) * n)
    return _with_ends(start + (stop - start) * steps, None, stop if endpoint and num > 1 else None)


@as_numpy("geomspace")
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True) -> Any:
    """`num` numbers from start to stop, each the same multiple of the one before it; both have the same sign."""
    start, stop = (cast(array_like(x), np.float64) for x in (start, stop))
    if has_zero(start) or has_zero(stop):
        raise ValueError("geomspace multiplies from start to stop, and neither may be 0")
    sign = rules.sign(start)
    between = sign * rules.exp(linspace(rules.log(start * sign), rules.log(stop * sign), num, endpoint))
    return _with_ends(between, start, stop * sign * sign if endpoint and num > 1 else None)


def _with_ends(numbers: Any, first: Any, last: Any) -> Any:
    """The numbers, of which the first and the last along axis 0 are these, where they are given."""
    places = np.arange(shape_of(numbers)[0]).reshape(-1, *(1,) * (len(shape_of(numbers)) - 1))
    for place, end in ((0, first), (len(places) - 1, last)):
        numbers = numbers if end is None else rules.where(places == place, end, numbers)
    return numbers


@as_numpy("vander")
def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The powers of each entry of a vector, as a row."""
    x = array_like(x)
    if len(shape_of(x)) != 1:
        raise ValueError(f"vander takes a vector, got shape {shape_of(x)}")
    powers = np.arange(shape_of(x)[0] if N is None else whole(N, "the number of columns", 0))
    return reshape(x, (-1, 1)) ** (powers if increasing else powers[::-1])


@as_numpy("polyval")
def polyval(p: Any, x: Any) -> Any:
    """The polynomial with the coefficients p, that of the highest power first, at x."""
    p, x = array_like(p), array_like(x)
    value = np.zeros(shape_of(x), dtype_of(x))
    for k in range(shape_of(p)[0]):
        value = value * x + p[k]
    return value


@as_numpy("cross")
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The vector product, of vectors with three entries along an axis."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if not shape_of(a)[-1] == shape_of(b)[-1] == 3:
        raise ValueError(f"cross takes vectors of 3 entries, got {shape_of(a)[-1]} and {shape_of(b)[-1]}")
    product = roll(a, -1, -1) * roll(b, 1, -1) - roll(a, 1, -1) * roll(b, -1, -1)
    return moveaxis(product, -1, axisc)
