"""Order: sorting, places of the largest, and picking by places along an axis.

Where the entries go is a node of integers, through which nothing flows back. So `sort(a)` is two operations: the places
in order (`argsort`), and picking them (`take_along_axis`), whose adjoint puts each adjoint back where its entry was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.core.operation import Operation, stored
from minigrad.like_numpy.arrange import along
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops.along import Places, TakeAlong
from minigrad.ops.reduce import in_rows
from minigrad.ops.shape import array_like, broadcast_to, dtype_of, moveaxis, shape_of


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
