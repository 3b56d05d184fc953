"""Sums of products along named axes: einsum, and the products that are special cases of it.

`einsum("ij,jk->ik", a, b)` says: for all i and k add up a[i, j] * b[j, k] over j. With its axes put in order that is a
product of matrices, and so its derivatives need nothing of their own.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, DTypeLike
from minigrad.like_numpy.arrange import diagonal
from minigrad.like_numpy.registry import as_numpy
from minigrad.ops.matmul import Matmul
from minigrad.ops.reduce import sum
from minigrad.ops.shape import array_like, cast, cast_by, dtype_of, reshape, shape_of, squeeze, transpose


def _product(left: str, right: str, out: str, a: ArrayLike, b: ArrayLike) -> Array:
    """A product summed along named axes, of matrices, or of single numbers where nothing is summed.

    Each letter of an input is in the other one or in the result as well.
    """
    both = [k for k in out if k in left and k in right]
    inner = [k for k in left if k not in out]
    rows, columns = ([k for k in of if k in out and k not in other] for of, other in ((left, right), (right, left)))
    size = dict(zip(left + right, shape_of(a) + shape_of(b), strict=True))
    shape = [[size[k] for k in axes] for axes in (both, rows, inner, columns)]
    n_both, n_rows, n_inner, n_columns = (int(np.prod(sizes)) for sizes in shape)
    lead = (n_both,) if both else ()
    a = transpose(a, [left.index(k) for k in (*both, *rows, *inner)])
    b = transpose(b, [right.index(k) for k in (*both, *inner, *columns)])
    a, b = reshape(a, (*lead, n_rows, n_inner)), reshape(b, (*lead, n_inner, n_columns))
    v = Matmul()(a, b) if inner else a * b
    axes = both + rows + columns
    return transpose(reshape(v, tuple(size[k] for k in axes)), [axes.index(k) for k in out])


@as_numpy("einsum")
def einsum(
    subscripts: Any, *operands: Any, optimize: object = True, dtype: DTypeLike = None, casting: str = "safe"
) -> Array:
    """Sums of products along named axes, as np.einsum: "ij,jk->ik", "...i,i", "ii", or lists of integers as axes.

    Several inputs are multiplied two at a time, on the path that np.einsum_path finds to be cheap.
    """
    inputs, out, arrays = _explicit(subscripts, operands)
    arrays = [cast_by(x, dtype, casting) for x in arrays]
    dtype = np.result_type(*(dtype_of(x) for x in arrays))
    sizes = _sizes(inputs, arrays)
    factors = [_distinct(names, x, sizes) for names, x in zip(inputs, arrays, strict=True)]
    path: list[Sequence[int]] = [range(len(factors))]  # all of them, one after the other
    if optimize and len(factors) > 2:
        shapes = [np.broadcast_to(0.0, [sizes[k] for k in names]) for names, _ in factors]
        subscripts = f"{','.join(names for names, _ in factors)}->{out}"
        path = np.einsum_path(subscripts, *shapes, optimize="greedy")[0][1:]
    for step in path:  # the product comes to the end of the list
        chosen = [factors.pop(k) for k in sorted(step, reverse=True)]
        while len(chosen) > 1:
            (a, x), (b, y) = chosen.pop(), chosen.pop()
            needed = set(out).union(*(names for names, _ in factors + chosen))
            (a, x), (b, y) = _alone(a, x, needed | set(b)), _alone(b, y, needed | set(a))
            names = "".join(k for k in dict.fromkeys(a + b) if k in needed)
            chosen.append((names, _product(a, b, names, x, y)))
        factors += chosen
    names, v = _alone(*factors[0], set(out))
    return cast(transpose(v, [names.index(k) for k in out]), dtype)


def _explicit(subscripts: Any, operands: Sequence[Any]) -> tuple[list[str], str, list[Any]]:
    """The letters of each input and of the result, without dots, and the inputs."""
    if not isinstance(subscripts, str):  # einsum(a, [0, 1], b, [1, 2], [0, 2])
        every = [subscripts, *operands]
        lists = every[1 : len(every) - len(every) % 2 : 2]
        subscripts = ",".join(_letters(names) for names in lists)
        subscripts += f"->{_letters(every[-1])}" if len(every) % 2 else ""
        operands = every[: len(every) - len(every) % 2 : 2]
    arrays = [array_like(x) for x in operands]
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(arrays):
        raise ValueError(f"einsum: '{subscripts}' names {len(inputs)} inputs, and {len(arrays)} were given")
    free = [k for k in string.ascii_letters if k not in subscripts]
    pairs = [*zip(inputs, arrays, strict=True)]
    dots = [max(0, len(shape_of(x)) - len(names) + 3) if "..." in names else 0 for names, x in pairs]
    spread = "".join(free[: max(dots)])
    inputs = [names.replace("...", spread[len(spread) - n :]) for names, n in zip(inputs, dots, strict=True)]
    every_letter = "".join(inputs)
    if arrow:
        if spread and "..." not in out:
            raise ValueError(
                f"einsum: '{subscripts}' does not say what becomes of the axes of '...': write them as letters"
            )
        out = out.replace("...", spread)
    else:
        out = spread + "".join(sorted(k for k in set(every_letter) - set(spread) if every_letter.count(k) == 1))
    for names, x in zip(inputs, arrays, strict=True):
        if len(names) != len(shape_of(x)):
            raise ValueError(f"einsum: '{subscripts}' names {len(names)} axes of an input of shape {shape_of(x)}")
    if len(set(out)) < len(out) or not set(out) <= set(every_letter):
        raise ValueError(f"einsum: each axis of the result '{out}' is that of an input, and named once")
    return inputs, out, arrays


def _letters(axes: Sequence[Any]) -> str:
    return "".join("..." if k is Ellipsis else string.ascii_letters[k] for k in axes)


def _sizes(inputs: Sequence[str], arrays: Sequence[Any]) -> dict[str, int]:
    """The size of each named axis; 1 gives way to others, as in a broadcast."""
    sizes: dict[str, int] = {}
    for names, x in zip(inputs, arrays, strict=True):
        for k, size in zip(names, shape_of(x), strict=True):
            if sizes.setdefault(k, size) == 1:
                sizes[k] = size
            elif size not in (1, sizes[k]):
                raise ValueError(f"einsum: the axis '{k}' has the sizes {sizes[k]} and {size}")
    return sizes


def _distinct(names: str, x: ArrayLike, sizes: dict[str, int]) -> tuple[str, Any]:
    """An input without axes that are to be broadcast, and with the diagonal of those that have one name."""
    for k in set(names):
        if len({shape_of(x)[j] for j, other in enumerate(names) if other == k}) > 1:
            raise ValueError(f"einsum: the axis '{k}' has two sizes in one input, of shape {shape_of(x)}")
    gone = [j for j, k in enumerate(names) if shape_of(x)[j] == 1 != sizes[k]]
    names, x = "".join(k for j, k in enumerate(names) if j not in gone), squeeze(x, gone)
    for k in names:
        while names.count(k) > 1:
            first, second = names.index(k), names.rindex(k)
            names = names[:first] + names[first + 1 : second] + names[second + 1 :] + k
            x = diagonal(x, 0, first, second)
    return names, x


def _alone(names: str, x: ArrayLike, needed: set[str]) -> tuple[str, Any]:
    """An input, summed over the axes that nothing else needs."""
    axes = [j for j, k in enumerate(names) if k not in needed]
    return "".join(k for k in names if k in needed), sum(x, axes) if axes else x
