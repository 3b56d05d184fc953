"""Along an axis: sorting, places of the largest, picking by places, products, running sums and differences.

Where the entries go is a node of integers, through which nothing flows back. So `sort(a)` is two operations: the places
in order (`argsort`), and picking them (`take_along_axis`), whose adjoint puts each adjoint back where its entry was.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.core.operation import Operation, stored
from minigrad.like_numpy.arrange import along
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops.along import Places, TakeAlong
from minigrad.ops.keys import whole
from minigrad.ops.reduce import sum
from minigrad.ops.shape import (
    Axis,
    array_like,
    broadcast_to,
    cast,
    common_shape,
    concatenate,
    dtype_of,
    moveaxis,
    normal_axes,
    normal_axis,
    reshape,
    shape_of,
    transpose,
)


class ArgSort(Places):
    """The places of the entries along the last axis, in rising order; nan comes last, equal ones keep their order."""

    name = "argsort"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(np.argsort(a, -1, kind="stable"), out)

    @staticmethod
    def kernel(a, out):
        size = out.shape[-1]
        if size:
            rows, places = a.reshape(-1, size), out.reshape(-1, size)
            for k in range(len(rows)):
                places[k] = np.argsort(rows[k], kind="mergesort")


class ArgMax(Places):
    """The place of the largest entry along the last axis, the first one of several; a nan counts as the largest."""

    name = "argmax"
    _find: Callable[..., Any] = staticmethod(np.argmax)
    word = "largest"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return self._find(a, -1, out=out)

    def advice(self, a: ArrayLike) -> str:
        return f"There is no {self.word} entry among none" if 0 in shape_of(a) else ""

    @property
    def kernel(self) -> Callable[..., None]:
        find = self._find

        def of_rows(a, out):
            rows, places = a.reshape(out.size, -1), out.reshape(-1)
            for k in range(out.size):
                places[k] = find(rows[k])

        return of_rows


class ArgMin(ArgMax):
    """The place of the smallest entry; in all else as ArgMax."""

    name = "argmin"
    _find = staticmethod(np.argmin)
    word = "smallest"


@as_numpy("take_along_axis")
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: int | None = -1) -> Array:
    """arr at places along an axis, others in each row: indices has as many axes, and broadcasts on the rest."""
    (arr, axis), indices = along(arr, axis), array_like(indices)
    if dtype_of(indices).kind not in "iu" or len(shape_of(indices)) != len(shape_of(arr)):
        raise TypeError(
            f"take_along_axis picks by integers with as many axes as the array: got {dtype_of(indices)} of shape "
            f"{shape_of(indices)} for an array of shape {shape_of(arr)}"
        )
    arr, indices = moveaxis(arr, axis, -1), moveaxis(indices, axis, -1)
    lead = common_shape("take_along_axis: the other axes", shape_of(arr)[:-1], shape_of(indices)[:-1])
    arr, indices = (broadcast_to(x, lead + shape_of(x)[-1:]) for x in (arr, indices))
    return moveaxis(TakeAlong()(arr, indices), -1, axis)


@as_numpy("argsort")
def argsort(a: ArrayLike, axis: int | None = -1, kind: object = None, *, stable: object = None) -> Array:
    """The places of the entries along an axis, in rising order, equal ones as they came: integers, no derivative."""
    a, axis = along(a, axis)
    return moveaxis(ArgSort()(moveaxis(a, axis, -1)), -1, axis)


@as_numpy("sort")
def sort(a: ArrayLike, axis: int | None = -1, kind: object = None, *, stable: object = None) -> Array:
    """The entries along an axis in rising order; nan comes last."""
    a, axis = along(a, axis)
    return take_along_axis(a, argsort(a, axis), axis)


@as_numpy("argmax")
def argmax(a: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """The place of the largest entry along an axis (in row-major order, if none is said): integers, no derivative."""
    return _place(ArgMax(), array_like(a), axis, keepdims)


@as_numpy("argmin")
def argmin(a: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """The place of the smallest entry, as `argmax`."""
    return _place(ArgMin(), array_like(a), axis, keepdims)


def _place(operation: Operation, a: ArrayLike, axis: int | None, keepdims: bool) -> Array:
    """Along one axis, or among all entries: never along several."""
    if not isinstance(axis, int | np.integer | None):
        raise TypeError(f"{operation.name} looks along one axis, or among all entries: got axis={axis!r}")
    return in_rows(a, axis, keepdims, operation)


def in_rows(a: ArrayLike, axis: Axis, keepdims: bool, of_rows: Callable[[Any], Any]) -> Array:
    """`of_rows` of the entries over axes, which it gets in one last axis and takes away."""
    shape = shape_of(a)
    axes = normal_axes(axis, len(shape))
    rest = [k for k in range(len(shape)) if k not in axes]
    rows = of_rows(
        reshape(transpose(a, (*rest, *axes)), (*(shape[k] for k in rest), math.prod(shape[k] for k in axes)))
    )
    lead = shape_of(rows)[: len(shape_of(rows)) - len(rest)]
    return reshape(rows, (*lead, *(1 if k in axes else n for k, n in enumerate(shape)))) if keepdims else rows


# Products, running sums, and differences.


@as_numpy("prod")
def prod(a: ArrayLike, axis: Axis = None, dtype: DTypeLike = None, *, keepdims: bool = False) -> Array:
    """The product over `axis`; of no numbers it is 1. Small integers are multiplied as int64, as NumPy has it.

    Neighbours are multiplied until one number is left. So the derivatives are right where factors are 0, the second
    ones too: nothing is ever divided by a factor.
    """
    a = array_like(a) if dtype is None else cast(array_like(a), dtype)
    if dtype_of(a).kind in "iub":
        a = cast(a, np.prod(np.ones(1, dtype_of(a))).dtype)
    empty = 0 in (shape_of(a)[k] for k in normal_axes(axis, len(shape_of(a))))
    v = sum(a, axis, keepdims=keepdims) + 1 if empty else in_rows(a, axis, keepdims, _product)
    return v if dtype is None else cast(v, dtype)


def _product(factors: Array) -> Array:
    count = shape_of(factors)[-1]
    while count > 1:
        half = count // 2
        products = factors[..., :half] * factors[..., half : 2 * half]
        factors = concatenate([products, factors[..., 2 * half :]], -1) if count % 2 else products
        count -= half
    return reshape(factors, shape_of(factors)[:-1])


class CumSum(Operation):
    """The sums of the first entries along the last axis: v[k] = a[0] + ... + a[k]."""

    name = "cumsum"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.cumsum(a, -1, out=out)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return CumSum()(adjoint[..., ::-1])[..., ::-1]  # entry k is in all sums from k on

    @staticmethod
    def kernel(a, out):
        entries, sums, size = a.reshape(-1), out.reshape(-1), a.shape[-1]
        for k in range(a.size):
            sums[k] = entries[k] if k % size == 0 else sums[k - 1] + entries[k]


def _as_sums(a: ArrayLike) -> Array:
    """Small integers and conditions in the dtype in which NumPy adds them up."""
    a = array_like(a)
    return cast(a, np.sum(np.ones(1, dtype_of(a))).dtype) if dtype_of(a).kind in "iub" else a


@as_numpy("cumsum")
def cumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike = None) -> Array:
    """The sums of the first entries along an axis; of all entries in one row if none is said."""
    a, axis = along(_as_sums(a if dtype is None else cast(array_like(a), dtype)), axis)
    sums = moveaxis(CumSum()(moveaxis(a, axis, -1)), -1, axis)
    return sums if dtype is None else cast(sums, dtype)


@as_numpy("diff")
def diff(
    a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None
) -> Array:
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
