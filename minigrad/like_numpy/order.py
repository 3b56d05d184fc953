"""Order: sorting, the largest few, medians and quantiles, and picking by places along an axis.

Where the entries go is a node of integers, through which nothing flows back. So `sort(a)` is two operations: the places
in order (`argsort`), and picking them (`take_along_axis`), whose adjoint puts each adjoint back where its entry was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.arrange import along, flip, take
from minigrad.like_numpy.elementwise import isnan, logical_and, logical_or
from minigrad.like_numpy.names import as_numpy
from minigrad.operation import Operation, stored
from minigrad.ops.along import Places, TakeAlong
from minigrad.ops.numbers import floats, now
from minigrad.ops.reduce import in_rows, sum
from minigrad.ops.shape import array_like, broadcast_to, dtype_of, expand_dims, moveaxis, shape_of


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

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> Any:
        return self._find(a, -1, out=out)

    def advice(self, a: Any) -> str:
        return f"There is no {self.word} entry among none" if 0 in np.shape(a) else ""

    @property
    def kernel(self) -> Any:
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
def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """arr at places along an axis, others in each row: indices has as many axes, and broadcasts on the rest."""
    (arr, axis), indices = along(arr, axis), array_like(indices)
    if dtype_of(indices).kind not in "iu" or len(shape_of(indices)) != len(shape_of(arr)):
        raise TypeError(
            f"take_along_axis picks by integers with as many axes as the array: got {dtype_of(indices)} of shape "
            f"{shape_of(indices)} for an array of shape {shape_of(arr)}"
        )
    arr, indices = moveaxis(arr, axis, -1), moveaxis(indices, axis, -1)
    lead = np.broadcast_shapes(shape_of(arr)[:-1], shape_of(indices)[:-1])
    arr, indices = (broadcast_to(x, lead + shape_of(x)[-1:]) for x in (arr, indices))
    return moveaxis(TakeAlong()(arr, indices), -1, axis)


@as_numpy("argsort")
def argsort(a: Any, axis: int | None = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """The places of the entries along an axis, in rising order, equal ones as they came: integers, no derivative."""
    a, axis = along(a, axis)
    return moveaxis(ArgSort()(moveaxis(a, axis, -1)), -1, axis)


@as_numpy("sort")
def sort(a: Any, axis: int | None = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """The entries along an axis in rising order; nan comes last."""
    a, axis = along(a, axis)
    return take_along_axis(a, argsort(a, axis), axis)


@as_numpy("partition")
def partition(a: Any, kth: Any, axis: int | None = -1) -> Any:
    """The entries along an axis, those at `kth` as if sorted; here all of them are."""
    a, axis = along(a, axis)
    np.partition(np.zeros(shape_of(a)[axis]), kth)  # refuses places that are not there
    return sort(a, axis)


@as_numpy("argpartition")
def argpartition(a: Any, kth: Any, axis: int | None = -1) -> Any:
    """The places of what `partition` gives."""
    a, axis = along(a, axis)
    np.partition(np.zeros(shape_of(a)[axis]), kth)
    return argsort(a, axis)


@as_numpy("argmax")
def argmax(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the largest entry along an axis (in row-major order, if none is said): integers, no derivative."""
    return _place(ArgMax(), array_like(a), axis, keepdims)


@as_numpy("argmin")
def argmin(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the smallest entry, as `argmax`."""
    return _place(ArgMin(), array_like(a), axis, keepdims)


def _place(operation: Operation, a: Any, axis: int | None, keepdims: bool) -> Any:
    """Along one axis, or among all entries: never along several."""
    if not isinstance(axis, int | np.integer | None):
        raise TypeError(f"{operation.name} looks along one axis, or among all entries: got axis={axis!r}")
    return in_rows(a, axis, keepdims, operation)


@as_numpy("searchsorted")
def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """Before which entries of a sorted vector those of v belong: so many are smaller. A nan is larger than numbers."""
    a, v = array_like(a), expand_dims(array_like(v), -1)
    if len(shape_of(a)) != 1 or side not in ("left", "right"):
        raise ValueError(f'searchsorted takes a sorted vector, and side="left" or "right": got {shape_of(a)}, {side!r}')
    if side == "left":
        return sum(logical_or(rules.less(a, v), logical_and(isnan(v), rules.equal(a, a))), -1)
    return sum(logical_or(rules.less_equal(a, v), isnan(v)), -1)


@as_numpy("digitize")
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """In which of the bins, whose edges rise or fall, the entries of x lie. Which of the two is decided once."""
    bins = array_like(bins)
    edges = now(bins)
    np.digitize(np.zeros(0), edges)  # refuses what neither rises nor falls
    side = "left" if right else "right"
    others = edges[edges != edges[:1]]
    if len(others) and not edges[0] < others[0]:
        return len(edges) - searchsorted(flip(bins), x, side)
    return searchsorted(bins, x, side)


@as_numpy("quantile")
def quantile(a: Any, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False) -> Any:
    """The number below which a part q of the entries over axes lies, between two entries on the line through them.

    q: plain numbers from 0 to 1; several give a new first axis.
    """
    if method != "linear":
        raise TypeError(f'quantile knows method="linear" alone, got {method!r}. np.sort gives the entries in order')
    parts = np.asarray(q, float)
    if parts.size and not (parts.min() >= 0 and parts.max() <= 1):
        raise ValueError(f"quantile: a part of the entries is from 0 to 1, got {q}")

    def of_rows(rows: Any) -> Any:
        ordered, size = sort(floats(rows)), shape_of(rows)[-1]
        if size == 0:
            raise ValueError(f"quantile of no numbers: the shape is {shape_of(a)}")
        at, new = parts * (size - 1), [*range(-parts.ndim, 0)]
        low = np.floor(at).astype(int)
        weight = np.asarray(at - low, np.float64 if new else dtype_of(ordered))
        below, above = take(ordered, low, -1), take(ordered, np.minimum(low + 1, size - 1), -1)
        rise = above - below  # from the nearer of the two: beside an infinite one that is right as well
        between = rules.where(weight < 0.5, below + rise * weight, above - rise * (1 - weight))
        result = rules.where(isnan(expand_dims(ordered[..., -1], new)), np.nan, between)
        return moveaxis(result, new, [*range(parts.ndim)])

    return in_rows(a, axis, keepdims, of_rows)


@as_numpy("median")
def median(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number in the middle of the entries over axes, or the mean of the two there."""

    def of_rows(rows: Any) -> Any:
        ordered, size = sort(floats(rows)), shape_of(rows)[-1]
        if size == 0:
            raise ValueError(f"median of no numbers: the shape is {shape_of(a)}")
        middle = ordered[..., size // 2]
        middle = middle if size % 2 else (ordered[..., size // 2 - 1] + middle) / 2
        return rules.where(isnan(ordered[..., -1]), np.nan, middle)

    return in_rows(a, axis, keepdims, of_rows)
