"""The numbers of a value: as floats, and as they are now."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.ops.shape import array_like, cast, dtype_of


def floats(a: Any) -> Any:
    """`a` with a shape; integers and conditions as float64. A number of Python's stays one, and has no dtype yet."""
    if type(a) in (int, float):
        return float(a)
    a = array_like(a)
    return cast(a, np.float64) if dtype_of(a).kind in "iub" else a


def now(a: Any) -> np.ndarray:
    """The numbers that a traced value has now."""
    while hasattr(a, "lift"):
        a = a.value
    return np.asarray(a)
