"""NumPy's functions that put entries elsewhere: stacking, splitting, flipping, rolling, repeating, diagonals.

None is an operation of its own. They are made of those in shape.py, and so are their derivatives.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops import pad as padding
from minigrad.ops import rows
from minigrad.ops.keys import is_first_or_last, whole, wholes
from minigrad.ops.shape import Scatter, array_like, cast, concatenate, normal_axis, ravel, shape_of, stack


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


def moved(name: str) -> Callable[..., Any]:
    """NumPy's function of this name: it moves the places of all entries, numbered in one row, and they follow."""
    function: Callable[..., Any] = getattr(np, name)
    parameters = inspect.signature(function)

    @as_numpy(name)
    def op(*args: ArrayLike, **options: ArrayLike) -> Array | list[Array]:
        (_, a), *others = parameters.bind(*args, **options).arguments.items()
        words = {x: f"{x} of np.{name}" for x, _ in others}
        counts = {x: n if n is None else (wholes if np.ndim(n) else whole)(n, words[x]) for x, n in others}
        try:
            places = function(numbered(a := array_like(a)), **counts)
        except (ValueError, TypeError, IndexError) as error:
            how = ", ".join(f"{x}={n}" for x, n in counts.items())
            why = ADVICE.get(name, error)
            raise ValueError(f"np.{name} cannot take an array of shape {shape_of(a)} with {how}: {why}") from None
        entries = ravel(a)
        return [entries[x] for x in places] if isinstance(places, list) else entries[places]

    op.__name__, op.__signature__ = name, parameters  # type: ignore[attr-defined]
    op.__doc__ = f"NumPy's {name}: the same entries, in other places."
    return op


def numbered(a: ArrayLike) -> np.ndarray:
    """The places of the entries of `a` in one row, in its shape."""
    return np.arange(math.prod(shape_of(a))).reshape(shape_of(a))


ADVICE = {
    "split": "it makes equal parts, and array_split unequal ones",
    "repeat": "it takes one count, or one for each entry along the axis",
}
flip, roll, repeat, tile = moved("flip"), moved("roll"), moved("repeat"), moved("tile")
split, array_split, diagonal = moved("split"), moved("array_split"), moved("diagonal")


def along(a: ArrayLike, axis: int | None) -> tuple[Any, int]:
    """`a` with a shape, and an axis of it from the front; a number, and `a` without an axis, in one row."""
    a = array_like(a)
    in_one_row = axis is None or (not shape_of(a) and is_first_or_last(axis))
    return (ravel(a), 0) if in_one_row else (a, normal_axis(axis, len(shape_of(a))))  # type: ignore[arg-type]


@as_numpy("take")
def take(a: ArrayLike, indices: ArrayLike, axis: int | None = None) -> Array:
    """`a` at these places along an axis; of all entries in one row if none is said. See `mg.take`."""
    a, axis = along(a, axis)
    return rows.take(a, indices, axis)


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
    return ravel(array)[np.pad(numbered(array), pad_width, mode=mode)]  # type: ignore[call-overload]
