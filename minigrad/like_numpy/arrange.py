"""NumPy's functions that put entries elsewhere: stacking, splitting, flipping, rolling, repeating, diagonals.

None is an operation of its own. They are made of those in shape.py, and so are their derivatives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.core import rules
from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops import pad as padding
from minigrad.ops import rows
from minigrad.ops.keys import is_first_or_last, whole, wholes
from minigrad.ops.shape import (
    Axis,
    Scatter,
    array_like,
    broadcast_to,
    cast,
    concatenate,
    dtype_of,
    moveaxis,
    normal_axes,
    normal_axis,
    ravel,
    reshape,
    shape_of,
    stack,
)


@as_numpy("array")
def array(a: ArrayLike, dtype: DTypeLike = None) -> Array:
    """Numbers, nodes, and lists of them in lists, as one array; the list's axis is the first."""
    whole = stack([array(x) for x in a]) if isinstance(a, list | tuple) and a else array_like(a)
    return whole if dtype is None else cast(whole, dtype)


@as_numpy("hstack")
def hstack(tup: Sequence[Any], *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """Side by side: joined along the second axis, vectors along their only one."""
    arrays = [x if shape_of(x) else ravel(x) for x in map(array_like, tup)]
    axis = 1 if arrays and len(shape_of(arrays[0])) > 1 else 0
    return concatenate(arrays, axis, dtype=dtype, casting=casting)


@as_numpy("array_split")
def array_split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Any]:
    """`ary` cut along an axis before these places, or into so many parts, of which the first may be longer by one."""
    ary = array_like(ary)
    axis = normal_axis(axis, len(shape_of(ary)))
    size = shape_of(ary)[axis]
    if isinstance(indices_or_sections, int | np.integer):
        if indices_or_sections < 1:
            raise ValueError(f"array_split makes at least 1 part, not {indices_or_sections}")
        each, more = divmod(size, int(indices_or_sections))
        cuts = tuple(k * each + min(k, more) for k in range(1, int(indices_or_sections)))
    else:
        cuts = wholes(indices_or_sections, "the number of parts")
    return [ary[(slice(None),) * axis + (slice(a, b),)] for a, b in itertools.pairwise([0, *cuts, size])]


@as_numpy("split")
def split(ary: ArrayLike, indices_or_sections: int | Sequence[int], axis: int = 0) -> list[Any]:
    """`ary` cut along an axis before these places, or into so many equal parts."""
    ary = array_like(ary)
    size = shape_of(ary)[normal_axis(axis, len(shape_of(ary)))]
    if isinstance(indices_or_sections, int | np.integer) and size % indices_or_sections:
        raise ValueError(
            f"split: an axis of size {size} does not fall into {indices_or_sections} equal parts. array_split makes "
            "unequal ones"
        )
    return array_split(ary, indices_or_sections, axis)


@as_numpy("flip")
def flip(m: ArrayLike, axis: Axis = None) -> Array:
    """The entries in reversed order along axes; along all if not said."""
    m = array_like(m)
    n = len(shape_of(m))
    axes = normal_axes(axis, n)
    return m[tuple(slice(None, None, -1 if k in axes else None) for k in range(n))] if axes else m


@as_numpy("roll")
def roll(a: ArrayLike, shift: int | Sequence[int], axis: Axis = None) -> Array:
    """The entries moved on by `shift` places along an axis; those that fall off the end come in at the start."""
    a, shift = array_like(a), wholes(shift, "a shift for roll")
    if axis is None:
        return reshape(roll(ravel(a), int(np.sum(shift)), 0), shape_of(a))
    for k, by in np.broadcast(axis, shift):
        where = normal_axis(int(k), len(shape_of(a)))
        if size := shape_of(a)[where]:
            a = take(a, (np.arange(size) - by) % size, where) if by % size else a
    return a


def along(a: ArrayLike, axis: int | None) -> tuple[Any, int]:
    """`a` with a shape, and an axis of it from the front; all entries in one row where no axis is given. A single
    number is a row of one."""
    a = array_like(a)
    in_one_row = axis is None or (not shape_of(a) and is_first_or_last(axis))
    return (ravel(a), 0) if in_one_row else (a, normal_axis(axis, len(shape_of(a))))  # type: ignore[arg-type]


@as_numpy("repeat")
def repeat(a: ArrayLike, repeats: int | Sequence[int], axis: int | None = None) -> Array:
    """Each entry so many times, one after the other."""
    (a, axis), counts = along(a, axis), wholes(repeats, "a count for repeat", 0)
    size = shape_of(a)[axis]
    if len(counts) not in (1, size):
        raise ValueError(f"repeat takes one count, or one for each of {size} entries; got {len(counts)}")
    return take(a, np.repeat(np.arange(size), counts), axis)


@as_numpy("tile")
def tile(A: ArrayLike, reps: int | Sequence[int]) -> Array:
    """The whole array so many times along each axis."""
    A, times = array_like(A), wholes(reps, "a count for tile", 0)
    n = max(len(shape_of(A)), len(times))
    shape, times = (1,) * (n - len(shape_of(A))) + shape_of(A), (1,) * (n - len(times)) + times
    apart = broadcast_to(reshape(A, [k for size in shape for k in (1, size)]),
                         [k for pair in zip(times, shape, strict=True) for k in pair])  # fmt: skip
    return reshape(apart, tuple(j * k for j, k in zip(times, shape, strict=True)))


@as_numpy("take")
def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None) -> Array:
    """`a` at these places along an axis; of all entries in one row if none is said. See `mg.take`."""
    a, axis = along(a, axis)
    return rows.take(a, indices, axis)


@as_numpy("diagonal")
def diagonal(a: ArrayLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The entries [k, k + offset] of the matrices in two axes, along a new last one."""
    a, offset = moveaxis(a, (axis1, axis2), (-2, -1)), whole(offset, "the number of a diagonal")
    m, n = shape_of(a)[-2:]
    size = max(0, min(m, n - offset) if offset >= 0 else min(m + offset, n))
    k = np.arange(size)
    return a[(Ellipsis, k - min(offset, 0), k + max(offset, 0))]


@as_numpy("diag")
def diag(v: ArrayLike, k: int = 0) -> Array:
    """The diagonal of a matrix, or a matrix with a vector on its diagonal, which is the k-th above the middle."""
    v, k = array_like(v), whole(k, "the number of a diagonal")
    if len(shape_of(v)) == 2:
        return diagonal(v, k)
    if len(shape_of(v)) != 1:
        raise ValueError(f"diag takes a vector or a matrix, got shape {shape_of(v)}. np.diagonal takes more axes")
    places, n = np.arange(shape_of(v)[0]), shape_of(v)[0] + abs(k)
    return Scatter((places - min(k, 0), places + max(k, 0)), (n, n))(v)


def triangle(m: ArrayLike, keep: Callable[[int, int], Any]) -> Array:
    """Matrices with 0 where `keep` of their numbers of rows and columns is not true."""
    m = array_like(m)
    m = broadcast_to(m, shape_of(m) * 2) if len(shape_of(m)) == 1 else m
    return rules.where(keep(*shape_of(m)[-2:]), m, np.zeros((), dtype_of(m)))


@as_numpy("pad")
def pad(array: ArrayLike, pad_width: Any, mode: str | float = "constant", *, constant_values: Any = 0) -> Array:
    """`array` with a frame: of one number, or of its own entries ("edge", "reflect", "symmetric", "wrap")."""
    array = array_like(array)
    if not isinstance(mode, str):  # pad(a, 1, 0.5)
        mode, constant_values = "constant", mode
    if mode == "constant" and np.ndim(constant_values) == 0:
        return padding.pad(array, pad_width, constant_values)
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise TypeError(
            "np.pad works on traced values with one constant alone (constant_values=a number), and in the modes edge, "
            "reflect, symmetric and wrap"
        )
    for axis, widths in enumerate(np.broadcast_to(pad_width, (len(shape_of(array)), 2))):
        places: Any = np.pad(np.arange(shape_of(array)[axis]), widths, mode=mode)  # type: ignore[call-overload]
        array = take(array, places, axis)
    return array
