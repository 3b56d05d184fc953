"""Operations of the library under NumPy's names, and NumPy's functions that are one line of them: a table by name.

Nothing here has a derivative of its own. What NumPy says in a page is said by the operations that a row is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.like_numpy.arrange import triangle
from minigrad.like_numpy.registry import as_numpy, numpys_own
from minigrad.ops import reduce
from minigrad.ops import shape as shapes
from minigrad.ops.keys import whole
from minigrad.ops.matmul import dot, matmul, outer
from minigrad.ops.numbers import floats, now
from minigrad.ops.shape import array_like, broadcast_to, cast, concatenate, dtype_of, ravel, reshape, shape_of

DIAGONAL = "the number of a diagonal"
CORE: dict[str, Callable[..., Any]] = {
    "subtract": rules.sub, "multiply": rules.mul, "divide": rules.div, "power": rules.pow, "negative": rules.neg,
    "absolute": rules.abs, "positive": rules.identity,
    "sum": reduce.sum, "mean": reduce.mean, "prod": reduce.prod, "var": reduce.var, "std": reduce.std,
    "max": reduce.max, "amax": reduce.max, "min": reduce.min, "amin": reduce.min,
    "matmul": matmul, "dot": dot, "outer": outer,
    "reshape": shapes.reshape, "ravel": shapes.ravel, "transpose": shapes.transpose, "swapaxes": shapes.swapaxes,
    "moveaxis": shapes.moveaxis, "squeeze": shapes.squeeze, "expand_dims": shapes.expand_dims,
    "broadcast_to": shapes.broadcast_to, "concatenate": shapes.concatenate, "stack": shapes.stack,
    "shape": shapes.shape_of,
    "ndim": lambda a: len(shapes.shape_of(a)),
    "size": lambda a, axis=None: np.size(np.empty(shapes.shape_of(a)), axis),
    "vstack": lambda tup, *, dtype=None, casting="same_kind": concatenate(
        [x if len(shape_of(x)) > 1 else reshape(x, (1, len(ravel(x)))) for x in map(array_like, tup)],
        dtype=dtype, casting=casting),
    "tril": lambda m, k=0: triangle(m, lambda rows, columns: np.tri(rows, columns, whole(k, DIAGONAL), bool)),
    "triu": lambda m, k=0: triangle(m, lambda rows, columns: ~np.tri(rows, columns, whole(k, DIAGONAL) - 1, bool)),
    "zeros_like": lambda a, dtype=None, *, shape=None: np.zeros(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "ones_like": lambda a, dtype=None, *, shape=None: np.ones(
        shape_of(a) if shape is None else shape, dtype or dtype_of(a)),
    "full_like": lambda a, fill_value, dtype=None, *, shape=None: broadcast_to(
        cast(array_like(fill_value), dtype or dtype_of(a)), shape_of(a) if shape is None else shape),
    "arccosh": lambda x, /: 2 * rules.arcsinh(rules.sqrt((floats(x) - 1) / 2)),  # loses no digits near 1
    "divmod": lambda x1, x2, /: (rules.floor_divide(x1, x2), rules.remainder(x1, x2)),
    "isinf": lambda x, /: rules.equal(rules.abs(x), np.inf),
    "all": lambda a, axis=None, *, keepdims=False: rules.equal(
        reduce.sum(rules.equal(a, 0), axis, keepdims=keepdims), 0),
    "any": lambda a, axis=None, *, keepdims=False: rules.greater(
        reduce.sum(rules.not_equal(a, 0), axis, keepdims=keepdims), 0),
    "allclose": lambda a, b, rtol=1e-5, atol=1e-8, equal_nan=False: np.allclose(now(a), now(b), rtol, atol, equal_nan),
    "array_equal": lambda a1, a2, equal_nan=False: np.array_equal(now(a1), now(a2), equal_nan),
}  # fmt: skip

for _name, _row in rules.TABLE.items():  # a row has the name of the function that it is
    if isinstance(numpys_own(_name), np.ufunc):
        as_numpy(_name)(_row)
for _name, _op in CORE.items():
    if getattr(_op, "__name__", "") == "<lambda>":
        _op.__name__ = _op.__qualname__ = _name
        _op.__doc__ = f"NumPy's {_name}, made of other operations in one line."
    as_numpy(_name)(_op)
as_numpy("empty_like")(CORE["zeros_like"])
