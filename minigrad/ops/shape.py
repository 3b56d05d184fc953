"""Operations that move numbers without changing them: reshape, transpose, broadcast, index, concatenate.

All are linear, and so are their adjoints: what was copied is summed (reduce.py), what was picked is put back.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, DTypeLike, Lowering, Node, Value
from minigrad.core.errors import unmasked
from minigrad.core.fit import array_like, dtype_of, shape_of, sum_to
from minigrad.core.operation import Operation, Traced, stored
from minigrad.ops.keys import is_basic, is_first_or_last, key_text, wholes
from minigrad.ops.workspace import Working

Sizes = int | Sequence[int]
Axis = int | Sequence[int] | None


class ToShape(Operation):
    """Shared by what gives its input another shape."""

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape

    def text(self, a: str) -> str:
        return f"{self.name}({a}, {self.shape})"


class Reshape(ToShape):
    """The same entries in row-major order under another shape: a view where NumPy can give one."""

    name = "reshape"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if out is None:
            return np.reshape(a, self.shape)
        np.copyto(out.reshape(a.shape), a)
        return out

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return reshape(adjoint, shape_of(a))

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.reshaped(a, node.shape)

    def advice(self, a: Array) -> str:
        return f"{math.prod(np.shape(a))} entries do not fill the shape {self.shape}"


class Transpose(Operation):
    """Axes in another order; axis k of the value is axis `axes[k]` of the input. A view."""

    name = "transpose"
    symbol = "T"

    def __init__(self, axes: tuple[int, ...]):
        self.axes = axes

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.transpose(a, self.axes)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return Transpose(tuple(int(k) for k in np.argsort(self.axes)))(adjoint)

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.transposed(a, self.axes)

    def text(self, a: str) -> str:
        return f"{a}.T" if self.axes == (1, 0) else f"transpose({a}, {self.axes})"


class BroadcastTo(ToShape):
    """Copies along new axes and along axes of size 1. A view with zero strides."""

    name = "broadcast_to"

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.broadcast_to(a, self.shape)

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return sum_to(adjoint, shape_of(a))

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.broadcast(a, node.shape)

    def advice(self, a: Array) -> str:
        return f"Read from the right, each size is that of {self.shape}, or 1; on the left new ones may come"


class Index(Working):
    """`a[key]`, with NumPy's keys: integers, slices, None, ..., integer and boolean arrays.

    With integers and slices alone it is a view. With arrays in the key the entries are copied.
    """

    name = "index"
    symbol = "[ ]"

    def __init__(self, key: Any):
        self.key = key
        self.copies = not is_basic(key)
        self._places: dict[tuple[int, ...], np.ndarray] = {}

    def places(self, shape: tuple[int, ...]) -> np.ndarray:
        """For each entry that the key picks, its number in row-major order: a repeated run needs no more than this."""
        if shape not in self._places:
            self._places[shape] = np.asarray(np.arange(math.prod(shape)).reshape(shape)[self.key])
        return self._places[shape]

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if out is None or not self.copies:
            return stored(a[self.key], out)
        # NumPy fills `out` without a detour through a new array only in the modes that check no index.
        return np.take(self.workspace.solid("a", a).reshape(-1), self.places(a.shape), out=out, mode="clip")

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return Scatter(self.key, shape_of(a))(adjoint)

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        if self.copies:
            return to.call(node, "take", [a, to.constant("places", self.places(a.shape))])
        return to.sliced(a, self.key, node.shape)

    def text(self, a: str) -> str:
        return f"{a}[{key_text(self.key)}]"


class Scatter(Operation):
    """The adjoint of `Index`: zeros of `shape`, with the input added at `key`; a repeated index adds up."""

    name = "scatter"

    def __init__(self, key: Any, shape: tuple[int, ...]):
        self.key, self.shape = key, shape
        self.index = Index(key)

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        a = np.asarray(a)
        out = np.empty(self.shape, a.dtype) if out is None else out
        out.fill(0)
        if self.index.copies:
            entries = self.index.workspace.solid("a", a).reshape(-1)
            np.add.at(out.reshape(-1), self.index.places(self.shape).reshape(-1), entries)
        else:
            out[self.key] = a
        return out

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return Index(self.key)(adjoint)

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        if self.index.copies:
            return to.call(node, "add_at", [a, to.constant("places", self.index.places(node.shape))])
        return to.assembled(node, [a], [self.key], 0.0)

    def text(self, a: str) -> str:
        return f"zeros({self.shape}).add_at[{key_text(self.key)}]({a})"


class Concatenate(Operation):
    """Inputs joined along an axis that they have already."""

    name = "concatenate"

    def __init__(self, axis: int):
        self.axis = axis

    def value(self, *inputs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        return np.concatenate(inputs, self.axis, out=out)

    def jvp(self, i: int, tangent: Array, v: Array, *inputs: Array) -> Array:
        return Scatter(self._part(i, inputs), shape_of(v))(tangent)

    def vjp(self, i: int, adjoint: Array, v: Array, *inputs: Array) -> Array | None:
        return adjoint[self._part(i, inputs)]

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        return to.assembled(node, inputs, [self._part(i, inputs) for i in range(len(inputs))], None)

    def _part(self, i: int, inputs: Sequence[Any]) -> tuple[slice, ...]:
        start = sum(shape_of(x)[self.axis] for x in inputs[:i])
        stop = start + shape_of(inputs[i])[self.axis]
        return (slice(None),) * self.axis + (slice(start, stop),)

    def text(self, *names: str) -> str:
        return f"concatenate([{', '.join(names)}], axis={self.axis})"

    def advice(self, *inputs: Array) -> str:
        if any(np.ndim(x) == 0 for x in inputs):
            return "Single numbers have no axis to be joined along. Try stack"
        return f"All sizes but the one along axis {self.axis} must be equal"


class Cast(Operation):
    """The same numbers in another dtype."""

    name = "cast"

    def __init__(self, dtype: DTypeLike):
        self.dtype = np.dtype(dtype)

    def value(self, a: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        if out is None:
            return np.asarray(a).astype(self.dtype)
        np.copyto(out, a, casting="unsafe")
        return out

    def jvp(self, i: int, tangent: Array, v: Array, a: Array) -> Array | None:
        return cast(tangent, self.dtype) if self.dtype.kind == "f" else None  # rounding to integers is constant

    def vjp(self, i: int, adjoint: Array, v: Array, a: Array) -> Array | None:
        return cast(adjoint, dtype_of(a)) if self.dtype.kind == "f" else None

    def lower(self, to: Lowering, node: Node, a: Value) -> Value:
        return to.cast(a, self.dtype)

    def text(self, a: str) -> str:
        return f"{self.dtype}({a})"


def reshape(a: ArrayLike, *sizes: Sizes, shape: Sizes | None = None, order: str = "C") -> Array:
    """`a` under another shape; one size may be -1 and is worked out. order="F": the first axis runs fastest."""
    sizes = sizes if shape is None else (shape,)
    if not sizes:
        raise TypeError("reshape needs a shape: x.reshape(2, 3), or -1 for all entries in one row")
    if isinstance(sizes[-1], str | None):  # NumPy's reshape(a, shape, order)
        *sizes, order = sizes
    order = order or "C"
    if order not in ("C", "F"):
        raise ValueError(f'the order of entries is "C", row by row, or "F", column by column; got {order!r}')
    wanted = wholes(sizes[0] if len(sizes) == 1 else sizes, "a size for reshape", -1)
    if order == "F":
        return transpose(reshape(transpose(a), wanted[::-1]))
    if wanted.count(-1) > 1:
        raise ValueError(f"reshape works out one size that is -1, not several: {wanted}")
    if -1 in wanted:
        known = -math.prod(wanted)
        if not known:
            raise ValueError(f"reshape cannot work out a size beside one of 0: {wanted}. Write it as a number")
        wanted = tuple(math.prod(shape_of(a)) // known if size == -1 else size for size in wanted)
    return array_like(a) if shape_of(a) == wanted else Reshape(wanted)(a)


def transpose(a: ArrayLike, axes: Sequence[int] | None = None) -> Array:
    """`a` with its axes in the order `axes`; reversed if not said."""
    n = len(shape_of(a))
    order = (
        tuple(range(n))[::-1] if axes is None else tuple(normal_axis(axis, n) for axis in np.atleast_1d(axes).tolist())
    )
    if sorted(order) != list(range(n)):
        raise ValueError(f"transpose needs each of the {n} axes once, got {axes}")
    return array_like(a) if order == tuple(range(n)) else Transpose(order)(a)


def ravel(a: ArrayLike, order: str = "C") -> Array:
    """All entries of `a` in one row, row by row; with order="F" column by column."""
    return reshape(a, (math.prod(shape_of(a)),), order=order)


def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """`a` with two axes exchanged."""
    return transpose(a, _order(np.swapaxes, a, axis1, axis2))


def moveaxis(a: ArrayLike, source: Sizes, destination: Sizes) -> Array:
    """`a` with some of its axes at other places; the others keep their order."""
    a = array_like(a)
    return transpose(a, _order(np.moveaxis, a, source, destination))


def _order(function: Callable[..., np.ndarray], a: ArrayLike, *axes: Any) -> tuple[int, ...]:
    """The order in which a function of NumPy's puts the axes: what it makes of an array whose sizes number them."""
    return function(np.empty(tuple(range(len(shape_of(a))))), *axes).shape


def broadcast_to(a: ArrayLike, shape: int | Sequence[int]) -> Array:
    """`a` copied along new leading axes and along its axes of size 1, to `shape`."""
    shape = wholes(shape, "a size for broadcast_to", 0)
    return array_like(a) if shape_of(a) == shape else BroadcastTo(shape)(a)


def common_shape(who: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all broadcast to. who: begins the error."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"{who} broadcast, and {' and '.join(map(str, shapes))} do not") from None


def expand_dims(a: ArrayLike, axis: int | Sequence[int]) -> Array:
    """`a` with a new axis of size 1 at place `axis` of the result, or several."""
    count = len(axis) if isinstance(axis, tuple | list) else 1
    new, sizes = normal_axes(axis, len(shape_of(a)) + count), iter(shape_of(a))
    return reshape(a, tuple(1 if k in new else next(sizes) for k in range(len(shape_of(a)) + count)))


def squeeze(a: ArrayLike, axis: Axis = None) -> Array:
    """`a` without its axes of size 1, or without those named."""
    shape = shape_of(a)
    wanted = [k for k, size in enumerate(shape) if size == 1] if axis is None else normal_axes(axis, len(shape))
    for k in wanted:
        if shape[k] != 1:
            raise ValueError(f"squeeze: axis {k} has size {shape[k]}, only axes of size 1 can go; shape is {shape}")
    return reshape(a, tuple(size for k, size in enumerate(shape) if k not in wanted))


def index(a: ArrayLike, key: object) -> Array:
    """`a[key]` with NumPy's keys; a node of integers alone picks rows, anew in each run of the graph."""
    parts = tuple(map(unmasked, key)) if isinstance(key, tuple) else (unmasked(key),)
    if any(isinstance(part, Traced) for part in parts):
        from minigrad.ops.along import pick

        return pick(a, parts)
    single = [isinstance(part, np.ndarray) and part.shape == () and part.dtype.kind in "iu" for part in parts]
    if any(single):  # as Python's own integer
        key = tuple(int(part) if one else part for part, one in zip(parts, single, strict=True))
    if not is_basic(key):
        key = copy.deepcopy(key)  # the graph keeps the key for its next run, and the caller may shuffle his
    return Index(key)(a)


def concatenate(
    arrays: Sequence[Any], axis: int | None = 0, *, dtype: DTypeLike = None, casting: str = "same_kind"
) -> Array:
    """`arrays` joined along an axis that they have already; None: all their entries in one row."""
    inputs, axis = ([ravel(array_like(x)) for x in arrays], 0) if axis is None else (list(arrays), axis)
    if not inputs:
        raise ValueError("concatenate needs at least one input")
    inputs = [cast_by(x, dtype, casting) for x in inputs]
    return Concatenate(normal_axis(axis, max(len(shape_of(inputs[0])), 1)))(*inputs)


def stack(arrays: Sequence[Any], axis: int = 0, *, dtype: DTypeLike = None, casting: str = "same_kind") -> Array:
    """`arrays` of one shape, side by side along a new axis at place `axis` of the result."""
    inputs = list(arrays)
    if len({shape_of(x) for x in inputs}) != 1:
        raise ValueError(f"stack needs inputs of one shape, at least one, got {[shape_of(x) for x in inputs]}")
    axis = normal_axis(axis, len(shape_of(inputs[0])) + 1)
    return concatenate([expand_dims(x, axis) for x in inputs], axis, dtype=dtype, casting=casting)


def cast(a: ArrayLike, dtype: DTypeLike) -> Array:
    """`a` as float32 or float64."""
    return a if dtype_of(a) == dtype else Cast(dtype)(a)  # type: ignore[return-value]


def floats(a: ArrayLike) -> Array:
    """`a` with a shape; integers and conditions as float64. A number of Python's stays one, and has no dtype yet."""
    if type(a) in (int, float):
        return float(a)  # type: ignore[return-value, arg-type]
    a = array_like(a)
    return cast(a, np.float64) if dtype_of(a).kind in "iub" else a


def cast_by(a: ArrayLike, dtype: DTypeLike, casting: str) -> Array:
    """`a` in the dtype, if one is given and NumPy's rule of this name allows it."""
    if dtype is None:
        return a  # type: ignore[return-value]
    if not np.can_cast(dtype_of(a), dtype, casting):  # type: ignore[arg-type]
        raise TypeError(
            f"{dtype_of(a)} does not become {np.dtype(dtype)} by the rule casting={casting!r}. "
            "Convert it before: mg.cast(a, dtype)"
        )
    return cast(array_like(a), dtype)


def normal_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """`axis` as a sorted tuple of axes 0 <= k < ndim; all of them for None."""
    if axis is None or (ndim == 0 and is_first_or_last(axis)):
        return tuple(range(ndim))
    axes = sorted(normal_axis(k, ndim) for k in (axis if isinstance(axis, tuple | list | np.ndarray) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis {axis} names an axis twice")
    return tuple(axes)


def normal_axis(axis: int, ndim: int) -> int:
    """`axis` counted from the front: 0 <= axis < ndim."""
    if not isinstance(axis, int | np.integer) or isinstance(axis, bool) or not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} does not exist: there are {ndim} axes")
    return int(axis) % ndim
