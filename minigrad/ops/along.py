"""Picking by places along an axis, others in each row, and the adjoint of that, which adds up at the places.

Places are nodes of integers, through which nothing flows back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike
from minigrad.core.errors import kind_of
from minigrad.core.operation import Operation, Traced, stored
from minigrad.native import jit
from minigrad.ops import rows
from minigrad.ops.shape import broadcast_to, dtype_of, expand_dims, shape_of


class Places(Operation):
    """Shared by what gives places: integers, through which nothing flows."""

    def jvp(self, i: int, tangent: Array, v: Array, a: Array) -> None:
        return None

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> None:
        return None


def take_along(a: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    """out[..., j] = a[..., places[..., j]] in plain loops; a place below 0 counts from the end."""
    size, count = a.shape[-1], out.shape[-1]
    entries, wanted, picked = a.reshape(-1), places.reshape(-1), out.reshape(-1)
    for k in range(picked.size):
        j = int(wanted[k])
        if j < -size or j >= size:
            raise IndexError("a place was asked for that the axis does not have")
        picked[k] = entries[k // count * size + (j + size if j < 0 else j)]


def _add_at_once(a: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    out[...] = 0
    if a.size:
        sums, count = out.reshape(-1, out.shape[-1]), a.shape[-1]
        np.add.at(sums, (np.arange(len(sums))[:, None], places.reshape(-1, count)), a.reshape(-1, count))


@partial(jit.kernel, at_once=_add_at_once)
def add_along(a: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    """out[..., places[..., j]] += a[..., j] in plain loops, from 0."""
    size, count = out.shape[-1], a.shape[-1]
    entries, wanted, sums = a.reshape(-1), places.reshape(-1), out.reshape(-1)
    for k in range(sums.size):
        sums[k] = 0
    for k in range(entries.size):
        j = int(wanted[k])
        if j < -size or j >= size:
            raise IndexError("a place was asked for that the axis does not have")
        sums[k // count * size + (j + size if j < 0 else j)] += entries[k]


class TakeAlong(Operation):
    """a[..., places[..., j]] for every row of the last axis."""

    name = "take_along"
    kernel = staticmethod(take_along)

    def value(self, a: np.ndarray, places: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return stored(np.take_along_axis(a, places, -1), out)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array, places: Array) -> Array | None:
        return AddAlong(shape_of(a)[-1])(adjoint, places) if i == 0 else None

    def limits(self, i: int, a: Array, places: Array) -> tuple[int, int] | None:
        size = shape_of(a)[-1]
        return (-size, size - 1) if i == 1 else None


class AddAlong(Operation):
    """The adjoint of `TakeAlong`: rows of so many entries, in which those for one place are added up."""

    name = "add_along"
    kernel = staticmethod(add_along)

    def __init__(self, size: int):
        self.size = size

    def value(self, a: np.ndarray, places: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.empty((*np.shape(a)[:-1], self.size), a.dtype) if out is None else out
        add_along(np.ascontiguousarray(a), np.ascontiguousarray(places, np.int64), out)
        return out

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array, places: Array) -> Array | None:
        return TakeAlong()(adjoint, places) if i == 0 else None

    def limits(self, i: int, a: Array, places: Array) -> tuple[int, int] | None:
        return (-self.size, self.size - 1) if i == 1 else None


def pick(a: ArrayLike, parts: tuple[Any, ...]) -> Array:
    """`a[parts]` with one traced part of integers: beside whole axes, or behind integers for all other axes."""
    (k, traced), *more = [(k, part) for k, part in enumerate(parts) if isinstance(part, Traced)]
    others = (*parts[:k], *parts[k + 1 :])
    if more or dtype_of(traced).kind not in "iu":
        raise TypeError(_no_index(parts))
    if all(isinstance(part, slice) and part == slice(None) for part in others):
        return rows.take(a, traced, k)
    if len(others) == 1 and others[0] is Ellipsis:
        return rows.take(a, traced, -k)
    wrong = any(np.asarray(part).dtype.kind not in "iu" for part in others)
    if k + 1 != len(parts) or wrong or len(shape_of(a)) != len(parts):
        raise TypeError(_no_index(parts))
    entries = a[others]  # type: ignore[index, call-overload]
    shape = np.broadcast_shapes(shape_of(entries)[:-1], shape_of(traced))
    entries, places = broadcast_to(entries, shape + shape_of(entries)[-1:]), broadcast_to(traced, shape)
    return TakeAlong()(entries, expand_dims(places, -1))[..., 0]


def _no_index(parts: Sequence[Any]) -> str:
    """Why these parts of a key, of which one is traced, pick nothing, and what would."""
    part = next(part for part in parts if isinstance(part, Traced))
    kind, dtype = kind_of(part), dtype_of(part)
    if dtype.kind == "b":
        return (
            f"{kind} as an index is a condition here, and would pick another number of entries in each run. Use "
            "mg.where(condition, a, 0), or index with its .value to decide once"
        )
    if dtype.kind in "iu":
        return (
            f"{kind} of integers picks along one axis, a[:, indices], or stands last among other integers, one for "
            "each axis: a[np.arange(len(a)), indices]"
        )
    return (
        f"an index is made of integers, not of {kind} that holds {dtype}. A mg.Constant(np.array([2, 0])) picks rows; "
        "mg.cast(node, np.int64) makes integers of a node, and its .value gives the numbers of now, for good"
    )
