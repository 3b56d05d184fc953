"""Along an axis: running sums and products, differences, slopes, areas, and convolutions of vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import rules
from minigrad.like_numpy.arrange import along, flip, take
from minigrad.like_numpy.elementwise import clip
from minigrad.like_numpy.names import as_numpy
from minigrad.like_numpy.order import searchsorted
from minigrad.operation import Operation
from minigrad.ops import pad
from minigrad.ops.keys import whole
from minigrad.ops.numbers import floats
from minigrad.ops.products import outer
from minigrad.ops.reduce import sum
from minigrad.ops.shape import (
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
)


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
def cumsum(a: Any, axis: int | None = None) -> Any:
    """The sums of the first entries along an axis; of all entries in one row if none is said."""
    a, axis = along(a, axis)
    return moveaxis(CumSum()(moveaxis(_as_sums(a), axis, -1)), -1, axis)


@as_numpy("cumprod")
def cumprod(a: Any, axis: int | None = None) -> Any:
    """The products of the first entries along an axis.

    Each is multiplied with the one 1, 2, 4, ... places before. Nothing is divided, so that factors may be 0.
    """
    a, axis = along(a, axis)
    v, step = moveaxis(_as_sums(a), axis, -1), 1
    while step < shape_of(v)[-1]:
        v = concatenate([v[..., :step], v[..., step:] * v[..., :-step]], -1)
        step *= 2
    return moveaxis(v, -1, axis)


def cumulative(running: Callable[..., Any], x: Any, axis: int | None, initial: int | None) -> Any:
    """The newer names of cumsum and cumprod: on the only axis if none is said, and with a number before the first."""
    x = array_like(x) if shape_of(x) else ravel(array_like(x))
    n = len(shape_of(x))
    if axis is None and n != 1:
        raise ValueError(f"an array of shape {shape_of(x)} has no single axis: say which one, axis=")
    axis = normal_axis(axis or 0, n)
    v = running(x, axis)
    return v if initial is None else pad.pad(v, [(int(k == axis), 0) for k in range(n)], initial)


def _cut(a: Any, axis: int, *slices: slice) -> list[Any]:
    return [a[(slice(None),) * axis + (s,)] for s in slices]


@as_numpy("diff")
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each entry less the one before it along an axis, n times over."""
    a, n = array_like(a), whole(n, "how often diff is taken", 0)
    axis = normal_axis(axis, len(shape_of(a)))
    edge = (*shape_of(a)[:axis], 1, *shape_of(a)[axis + 1 :])
    ends = [x if x is None or shape_of(x) else broadcast_to(array_like(x), edge) for x in (prepend, append)]
    a = concatenate([x for x in (ends[0], a, ends[1]) if x is not None], axis)
    for _ in range(n):
        later, earlier = _cut(a, axis, slice(1, None), slice(None, -1))
        a = rules.not_equal(later, earlier) if dtype_of(a).kind == "b" else later - earlier
    return a


@as_numpy("ediff1d")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """`diff` of all entries in one row, with others before and behind."""
    parts = (to_begin, diff(ravel(array_like(ary))), to_end)
    return concatenate([cast(ravel(array_like(x)), dtype_of(ary)) for x in parts if x is not None])


@as_numpy("gradient")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The slope along each axis: central differences inside, one-sided ones at the edges.

    varargs: the distance of the entries, for all axes or one for each, or their coordinates.
    """
    f = floats(f)
    axes = normal_axes(axis, len(shape_of(f)))
    steps = varargs or (1.0,)
    steps = steps * len(axes) if len(steps) == 1 else steps
    if len(steps) != len(axes) or edge_order != 1:
        raise TypeError(f"gradient takes one distance for each of the {len(axes)} axes, and edge_order=1")
    slopes = tuple(_slopes(f, step, k) for step, k in zip(steps, axes, strict=True))
    return slopes[0] if len(slopes) == 1 else slopes


def _slopes(f: Any, step: Any, axis: int) -> Any:
    if shape_of(f)[axis] < 2:
        raise ValueError(f"gradient needs two entries along an axis, and the shape is {shape_of(f)}")
    f = moveaxis(f, axis, -1)
    rise = f[..., 1:] - f[..., :-1]
    if not shape_of(step):
        slopes = rise / step
        inside = (f[..., 2:] - f[..., :-2]) / (2 * step)
    else:
        if shape_of(step) != shape_of(f)[-1:]:
            raise ValueError(
                f"gradient takes a distance, or the {shape_of(f)[-1]} coordinates along an axis: got shape "
                f"{shape_of(step)}"
            )
        width = cast(diff(floats(step)), dtype_of(f))
        slopes, before, behind = rise / width, width[:-1], width[1:]
        inside = (slopes[..., :-1] * behind + slopes[..., 1:] * before) / (before + behind)
    return moveaxis(concatenate([slopes[..., :1], inside, slopes[..., -1:]], -1), -1, axis)


@as_numpy("trapezoid")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The area under the line through the entries along an axis: x says where they are, or dx how far apart."""
    y = array_like(y)
    axis = normal_axis(axis, len(shape_of(y)))
    if x is None:
        width = dx
    elif len(shape_of(x)) == 1:
        width = reshape(diff(x), (-1,) + (1,) * (len(shape_of(y)) - axis - 1))
    else:
        width = diff(x, axis=axis)
    later, earlier = _cut(y, axis, slice(1, None), slice(None, -1))
    return sum(width * (later + earlier) / 2.0, axis)


def _vector(x: Any) -> Any:
    x = array_like(x)
    if len(shape_of(x)) > 1:
        raise ValueError(f"convolve and correlate take vectors, got shape {shape_of(x)}. mg.conv2d takes images")
    return ravel(x)


@as_numpy("convolve")
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The sums of products of a vector and another one that is moved along it, backwards."""
    a, v = _vector(a), _vector(v)
    if shape_of(v)[0] > shape_of(a)[0]:
        a, v = v, a
    m, n = shape_of(a)[0], shape_of(v)[0]
    if mode not in ("full", "same", "valid") or not n:
        raise ValueError(f'convolve takes vectors with entries, and mode="full", "same" or "valid"; got {mode!r}')
    first, count = {"full": (0, m + n - 1), "same": ((n - 1) // 2, m), "valid": (n - 1, m - n + 1)}[mode]
    sums = Scatter(np.arange(m)[:, None] + np.arange(n), (m + n - 1,))(outer(a, v))
    return sums[first : first + count]


@as_numpy("correlate")
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The sums of products of a vector and another one that is moved along it."""
    a, v = _vector(a), _vector(v)
    return convolve(a, flip(v), mode) if shape_of(v)[0] <= shape_of(a)[0] else flip(convolve(v, flip(a), mode))


@as_numpy("interp")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """The line through the points (xp, fp), xp rising, at x; beyond them left and right, or else the outermost fp."""
    x, xp, fp = floats(x), floats(xp), floats(fp)
    if len(shape_of(xp)) != 1 or shape_of(xp) != shape_of(fp):
        raise ValueError(
            f"interp goes through points whose coordinates are two vectors: {shape_of(xp)}, {shape_of(fp)}"
        )
    last = shape_of(xp)[0] - 1
    above = clip(searchsorted(xp, x, "right"), 1, max(last, 1)) if last else searchsorted(xp, x) * 0
    x0, x1, y0, y1 = (take(z, k) for z in (xp, fp) for k in (clip(above - 1, 0, None), above))
    v = y0 + (x - x0) * rules.safe_div(y1 - y0, x1 - x0) if last else y0
    v = rules.where(rules.less(x, xp[0]), fp[0] if left is None else left, v)
    return rules.where(rules.greater(x, xp[-1]), fp[-1] if right is None else right, v)
