"""Along an axis: running sums, and differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.operation import Operation
from minigrad.like_numpy.arrange import along, flip
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops.keys import whole
from minigrad.ops.shape import array_like, broadcast_to, cast, concatenate, dtype_of, moveaxis, normal_axis, shape_of


class CumSum(Operation):
    """The sums of the first entries along the last axis: v[k] = a[0] + ... + a[k]."""

    name = "cumsum"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.cumsum(a, -1, out=out)

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any) -> Any:
        return flip(CumSum()(flip(adjoint, -1)), -1)  # entry k is in all sums from k on

    @staticmethod
    def kernel(a, out):
        entries, sums, size = a.reshape(-1), out.reshape(-1), a.shape[-1]
        for k in range(a.size):
            sums[k] = entries[k] if k % size == 0 else sums[k - 1] + entries[k]


def _as_sums(a: Any) -> Any:
    """Small integers and conditions in the dtype in which NumPy adds them up."""
    a = array_like(a)
    return cast(a, np.sum(np.ones(1, dtype_of(a))).dtype) if dtype_of(a).kind in "iub" else a


@as_numpy("cumsum")
def cumsum(a: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """The sums of the first entries along an axis; of all entries in one row if none is said."""
    a, axis = along(_as_sums(a) if dtype is None else cast(array_like(a), dtype), axis)
    return moveaxis(CumSum()(moveaxis(a, axis, -1)), -1, axis)


@as_numpy("diff")
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each entry less the one before it along an axis, n times over."""
    a, n = array_like(a), whole(n, "how often diff is taken", 0)
    axis = normal_axis(axis, len(shape_of(a)))
    edge = (*shape_of(a)[:axis], 1, *shape_of(a)[axis + 1 :])
    ends = [x if x is None or shape_of(x) else broadcast_to(array_like(x), edge) for x in (prepend, append)]
    a = concatenate([x for x in (ends[0], a, ends[1]) if x is not None], axis)
    for _ in range(n):
        later, earlier = (a[(slice(None),) * axis + (part,)] for part in (slice(1, None), slice(None, -1)))
        a = rules.not_equal(later, earlier) if dtype_of(a).kind == "b" else later - earlier
    return a
