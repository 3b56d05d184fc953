"""Operations of the library under NumPy's names: rows of the derivative table, sums, products, and shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.names import as_numpy, numpys_own
from minigrad.ops import products, reduce
from minigrad.ops import shape as shapes

CORE: dict[str, Callable[..., Any]] = {
    "subtract": rules.sub, "multiply": rules.mul, "divide": rules.div, "power": rules.pow, "negative": rules.neg,
    "absolute": rules.abs, "positive": rules.identity,
    "sum": reduce.sum, "mean": reduce.mean, "prod": reduce.prod, "var": reduce.var, "std": reduce.std,
    "max": reduce.max, "amax": reduce.max, "min": reduce.min, "amin": reduce.min,
    "matmul": products.matmul, "dot": products.dot, "outer": products.outer,
    "reshape": shapes.reshape, "ravel": shapes.ravel, "transpose": shapes.transpose, "swapaxes": shapes.swapaxes,
    "moveaxis": shapes.moveaxis, "squeeze": shapes.squeeze, "expand_dims": shapes.expand_dims,
    "broadcast_to": shapes.broadcast_to, "concatenate": shapes.concatenate, "stack": shapes.stack,
    "shape": shapes.shape_of,
    "ndim": lambda a: len(shapes.shape_of(a)),
    "size": lambda a, axis=None: np.size(np.empty(shapes.shape_of(a)), axis),
}  # fmt: skip

for _name, _row in rules.TABLE.items():  # a row has the name of the function that it is
    if isinstance(numpys_own(_name), np.ufunc):
        as_numpy(_name)(_row)
for _name, _op in CORE.items():
    as_numpy(_name)(_op)
