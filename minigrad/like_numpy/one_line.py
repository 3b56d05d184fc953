"""NumPy's functions that are one line of others: a table, by NumPy's names.

Nothing here has a derivative of its own. What NumPy says in a page is said by the operations that a row is made of.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.arrange import atleast_2d, atleast_3d, compress, diag, flip, split, triangle
from minigrad.like_numpy.elementwise import isnan, linspace, select
from minigrad.like_numpy.names import as_numpy
from minigrad.like_numpy.order import quantile
from minigrad.like_numpy.running import cumprod, cumsum, cumulative
from minigrad.like_numpy.statistics import count_nonzero, nanvar
from minigrad.ops import reduce
from minigrad.ops.keys import whole
from minigrad.ops.numbers import float_dtype, floats, now
from minigrad.ops.products import dot
from minigrad.ops.shape import (
    array_like,
    broadcast_to,
    cast,
    concatenate,
    dtype_of,
    expand_dims,
    moveaxis,
    ravel,
    shape_of,
    transpose,
)

DIAGONAL = "the number of a diagonal"


def at_least(axes: int, x: Any, who: str) -> Any:
    """`x`, if it has so many axes."""
    x = array_like(x)
    if len(shape_of(x)) < axes:
        raise ValueError(f"{who} takes arrays with at least {axes} axes, got shape {shape_of(x)}")
    return x


ONE_LINE: dict[str, Callable[..., Any]] = {
    # Places.
    "append": lambda arr, values, axis=None: concatenate((arr, values), axis),
    "vstack": lambda tup: concatenate([atleast_2d(x) for x in tup]),
    "dstack": lambda tup: concatenate([atleast_3d(x) for x in tup], 2),
    "hsplit": lambda ary, indices_or_sections: split(ary, indices_or_sections, 1 if len(shape_of(ary)) > 1 else 0),
    "vsplit": lambda ary, indices_or_sections: split(at_least(2, ary, "vsplit"), indices_or_sections, 0),
    "dsplit": lambda ary, indices_or_sections: split(ary, indices_or_sections, 2),
    "unstack": lambda x, /, *, axis=0: tuple(moveaxis(array_like(x), axis, 0)),
    "fliplr": lambda m: flip(m, 1),
    "flipud": lambda m: flip(at_least(1, m, "flipud"), 0),
    "extract": lambda condition, arr: compress(np.ravel(condition), arr),
    "permute_dims": lambda a, axes=None: transpose(array_like(a), axes),
    "diagflat": lambda v, k=0: diag(ravel(array_like(v)), k),
    "tril": lambda m, k=0: triangle(m, lambda rows, columns: np.tri(rows, columns, whole(k, DIAGONAL), bool)),
    "triu": lambda m, k=0: triangle(m, lambda rows, columns: ~np.tri(rows, columns, whole(k, DIAGONAL) - 1, bool)),
    "zeros_like": lambda a, dtype=None, shape=None: np.zeros(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "ones_like": lambda a, dtype=None, shape=None: np.ones(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "full_like": lambda a, fill_value, dtype=None, shape=None: broadcast_to(
        cast(array_like(fill_value), dtype or dtype_of(a)), shape_of(a) if shape is None else shape),
    # Single numbers.
    "fabs": lambda x, /: rules.abs(floats(x)),
    "float_power": lambda x1, x2, /: rules.pow(cast(array_like(x1), np.float64), cast(array_like(x2), np.float64)),
    "deg2rad": lambda x, /: floats(x) * (math.pi / 180),
    "rad2deg": lambda x, /: floats(x) * (180 / math.pi),
    "arccosh": lambda x, /: 2 * rules.arcsinh(rules.sqrt((floats(x) - 1) / 2)),  # loses no digits near 1
    # A nan gives way to a number.
    "fmax": lambda x1, x2, /: rules.maximum(rules.where(isnan(x1), x2, x1), rules.where(isnan(x2), x1, x2)),
    "fmin": lambda x1, x2, /: rules.minimum(rules.where(isnan(x1), x2, x1), rules.where(isnan(x2), x1, x2)),
    "divmod": lambda x1, x2, /: (rules.floor_divide(x1, x2), rules.remainder(x1, x2)),
    "heaviside": lambda x1, x2, /: cast(
        rules.where(rules.equal(x1, 0), floats(x2), rules.step(floats(x1))), float_dtype(x1, x2)),
    "isinf": lambda x, /: rules.equal(rules.abs(x), np.inf),
    "isposinf": lambda x: rules.equal(x, np.inf),
    "isneginf": lambda x: rules.equal(x, -np.inf),
    "fix": lambda x: rules.trunc(x),
    "angle": lambda z, deg=False: rules.arctan2(0.0, floats(z)) * (180 / math.pi if deg else 1.0),
    "isin": lambda element, test_elements: rules.greater(
        reduce.sum(rules.equal(expand_dims(array_like(element), -1), ravel(array_like(test_elements))), -1), 0),
    "real": lambda val: array_like(val),
    "imag": lambda val: np.zeros(shape_of(val), dtype_of(val)),
    "real_if_close": lambda a: array_like(a),
    "signbit": lambda x, /: rules.less(rules.copysign(1.0, floats(x)), 0),
    "choose": lambda a, choices: select([rules.equal(a, k) for k in range(1, len(choices))], choices[1:], choices[0]),
    "logspace": lambda start, stop, num=50, endpoint=True, base=10.0: rules.pow(
        base, linspace(start, stop, num, endpoint)),
    # Order.
    "percentile": lambda a, q, axis=None, *, method="linear", keepdims=False: quantile(
        a, np.true_divide(q, 100), axis, method=method, keepdims=keepdims),
    # Along an axis.
    "cumulative_sum": lambda x, /, *, axis=None, include_initial=False: cumulative(
        cumsum, x, axis, 0 if include_initial else None),
    "cumulative_prod": lambda x, /, *, axis=None, include_initial=False: cumulative(
        cumprod, x, axis, 1 if include_initial else None),
    # Statistics.
    "ptp": lambda a, axis=None, keepdims=False: reduce.max(a, axis, keepdims) - reduce.min(a, axis, keepdims),
    "all": lambda a, axis=None, keepdims=False: rules.equal(reduce.sum(rules.equal(a, 0), axis, keepdims), 0),
    "any": lambda a, axis=None, keepdims=False: rules.greater(count_nonzero(a, axis, keepdims=keepdims), 0),
    "nanstd": lambda a, axis=None, keepdims=False, ddof=0: rules.root(nanvar(a, axis, keepdims, ddof)),
    # Products.
    "vdot": lambda a, b, /: dot(ravel(array_like(a)), ravel(array_like(b))),
    "matvec": lambda x1, x2, /: (at_least(2, x1, "matvec") @ expand_dims(array_like(x2), -1))[..., 0],
    "vecmat": lambda x1, x2, /: (expand_dims(array_like(x1), -2) @ at_least(2, x2, "vecmat"))[..., 0, :],
    # Questions about the numbers of now, True or False.
    "allclose": lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: np.allclose(now(a), now(b), rtol, atol, equal_nan),
    "array_equal": lambda a1, a2, equal_nan=False: np.array_equal(now(a1), now(a2), equal_nan),
    "array_equiv": lambda a1, a2: np.array_equiv(now(a1), now(a2)),
}  # fmt: skip
for _name, _op in ONE_LINE.items():
    _op.__name__ = _op.__qualname__ = _name
    _op.__doc__ = f"NumPy's {_name}, made of other operations in one line."
    as_numpy(_name)(_op)
as_numpy("radians")(ONE_LINE["deg2rad"])
as_numpy("degrees")(ONE_LINE["rad2deg"])
as_numpy("empty_like")(ONE_LINE["zeros_like"])
