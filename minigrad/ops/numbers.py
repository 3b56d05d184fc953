"""The numbers of a value: as floats, and as they are now."""

from __future__ import annotations

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.ops.shape import array_like, cast, dtype_of


def floats(a: ArrayLike) -> Array:
    """`a` with a shape; integers and conditions as float64. A number of Python's stays one, and has no dtype yet."""
    if type(a) in (int, float):
        return float(a)  # type: ignore[return-value, arg-type]
    a = array_like(a)
    return cast(a, np.float64) if dtype_of(a).kind in "iub" else a


def now(a: ArrayLike) -> np.ndarray:
    """The numbers that a traced value has now."""
    while hasattr(a, "lift"):
        a = a.value  # type: ignore[union-attr]
    return np.asarray(a)
