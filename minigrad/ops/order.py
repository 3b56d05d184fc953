"""Order: sorting, the largest few, medians and quantiles, and picking by places along an axis.

Where the entries go is a node of integers, through which nothing flows back. So `sort(a)` is two operations: the places
in order (`argsort`), and picking them (`take_along_axis`), whose adjoint puts each adjoint back where its entry was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import jit, rules
from minigrad.operation import Operation, Traced, kind_of, stored
from minigrad.ops import rows
from minigrad.ops.arrange import along, flip, moveaxis, take
from minigrad.ops.elementwise import floats, isnan, logical_and, logical_or, now
from minigrad.ops.reduce import in_rows, sum
from minigrad.ops.shape import array_like, broadcast_to, dtype_of, expand_dims, shape_of


class Places(Operation):
    """Shared by what gives places: integers, through which nothing flows."""

    def jvp(self, i: int, tangent: Any, v: Any, a: Any) -> None:
        return None

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any) -> None:
        return None


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


def take_along(a, places, out):
    """out[..., j] = a[..., places[..., j]] in plain loops; a place below 0 counts from the end."""
    size, count = a.shape[-1], out.shape[-1]
    entries, wanted, picked = a.reshape(-1), places.reshape(-1), out.reshape(-1)
    for k in range(picked.size):
        j = int(wanted[k])
        if j < -size or j >= size:
            raise IndexError("a place was asked for that the axis does not have")
        picked[k] = entries[k // count * size + (j + size if j < 0 else j)]


@jit.kernel
def add_along(a, places, out):
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

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any, places: Any) -> Any:
        return AddAlong(shape_of(a)[-1])(adjoint, places) if i == 0 else None

    def limits(self, i: int, a: Any, places: Any) -> tuple[int, int] | None:
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

    def vjp(self, i: int, adjoint: Any, v: Any, a: Any, places: Any) -> Any:
        return TakeAlong()(adjoint, places) if i == 0 else None


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


def pick(a: Any, parts: tuple[Any, ...]) -> Any:
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
    entries = a[others]
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


def argsort(a: Any, axis: int | None = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """The places of the entries along an axis, in rising order, equal ones as they came: integers, no derivative."""
    a, axis = along(a, axis)
    return moveaxis(ArgSort()(moveaxis(a, axis, -1)), -1, axis)


def sort(a: Any, axis: int | None = -1, kind: Any = None, *, stable: Any = None) -> Any:
    """The entries along an axis in rising order; nan comes last."""
    a, axis = along(a, axis)
    return take_along_axis(a, argsort(a, axis), axis)


def partition(a: Any, kth: Any, axis: int | None = -1) -> Any:
    """The entries along an axis, those at `kth` as if sorted; here all of them are."""
    a, axis = along(a, axis)
    np.partition(np.zeros(shape_of(a)[axis]), kth)  # refuses places that are not there
    return sort(a, axis)


def argpartition(a: Any, kth: Any, axis: int | None = -1) -> Any:
    """The places of what `partition` gives."""
    a, axis = along(a, axis)
    np.partition(np.zeros(shape_of(a)[axis]), kth)
    return argsort(a, axis)


def argmax(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the largest entry along an axis (in row-major order, if none is said): integers, no derivative."""
    return _place(ArgMax(), array_like(a), axis, keepdims)


def argmin(a: Any, axis: int | None = None, *, keepdims: bool = False) -> Any:
    """The place of the smallest entry, as `argmax`."""
    return _place(ArgMin(), array_like(a), axis, keepdims)


def _place(operation: Operation, a: Any, axis: int | None, keepdims: bool) -> Any:
    """Along one axis, or among all entries: never along several."""
    if not isinstance(axis, int | np.integer | None):
        raise TypeError(f"{operation.name} looks along one axis, or among all entries: got axis={axis!r}")
    return in_rows(a, axis, keepdims, operation)


def searchsorted(a: Any, v: Any, side: str = "left") -> Any:
    """Before which entries of a sorted vector those of v belong: so many are smaller. A nan is larger than numbers."""
    a, v = array_like(a), expand_dims(array_like(v), -1)
    if len(shape_of(a)) != 1 or side not in ("left", "right"):
        raise ValueError(f'searchsorted takes a sorted vector, and side="left" or "right": got {shape_of(a)}, {side!r}')
    if side == "left":
        return sum(logical_or(rules.less(a, v), logical_and(isnan(v), rules.equal(a, a))), -1)
    return sum(logical_or(rules.less_equal(a, v), isnan(v)), -1)


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
