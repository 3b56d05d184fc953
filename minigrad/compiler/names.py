"""Names of arrays, numbers and entries in the text of a program."""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.compiler.memory import Buffer
from minigrad.compiler.text import named
from minigrad.compiler.values import Place, Value, base, identity, index_at, is_whole, literal, resolve
from minigrad.native import convolution, heads, kernels, normal, products

COUNTERS = (*"ijklmn", *(f"i{k}" for k in range(7, 65)))  # of the axes of an array, of which NumPy allows 64
NAMED = {0.0: "zero", 1.0: "one", 2.0: "two", 0.5: "half"}


class Names:
    """The names of one function: of arrays, of other names for the same memory, and of what it calls."""

    def __init__(self, dtype: np.dtype, buffers: Sequence[Buffer], new_name: Callable[[str], str]):
        self.dtype, self.new_name = dtype, new_name
        self.owner: dict[str, str] = {}  # name of a view -> name of its base buffer
        self.shapes: dict[str, tuple[int, ...]] = {}  # of buffers, and of other names
        # name -> the array that it is another name of, and its definition, written where it is first used
        self.aliases: dict[str, tuple[str, str]] = {}
        self.functions: dict[str, str] = {}  # name of a called function -> its module
        self._alias_names: dict[tuple[str, tuple[int, ...]], str] = {}
        self._local_names: dict[str, str] = {}
        for buffer in buffers:
            self.shapes[buffer.name] = buffer.shape
            for value in buffer.values:
                if value.name != buffer.name:
                    same = value.shape == buffer.shape
                    self.alias(value.name, buffer.name if same else None, buffer.name, value.shape)

    def alias(self, name: str, text: str | None, of: str, shape: tuple[int, ...]) -> None:
        """Define another name for the memory of the array `of`: `text`, or else that array in this shape."""
        self.shapes[name] = shape
        self.owner[name] = self.owner.get(of, of)
        self.aliases[name] = of, text or f"shaped({of}, {shape})"

    def function(self, name: str) -> str:
        """A kernel that the program calls."""
        self.functions[name] = defined(name, self.dtype)
        return name

    def number(self, value: Any, dtype: np.dtype) -> str:
        """Write a number with an explicit dtype, so that numba has no choice."""
        if dtype.kind == "f":
            if dtype == self.dtype and float(value) in NAMED and not (value == 0 and math.copysign(1, value) < 0):
                return NAMED[float(value)]
            return f"{kind_name(dtype)}({float(value)!r})"  # inf and nan are names in every program
        return repr(bool(value)) if dtype.kind == "b" else f"{kind_name(dtype)}({int(value)})"

    def array(self, value: Value) -> str:
        """Write `value` as a NumPy expression: a name, with slices and a transpose if it is a view."""
        root, places = resolve(value)
        name = self.reshaped(root, root.shape)
        if places == identity(root.shape) and value.shape == root.shape:
            return name
        parts: list[tuple[int | None, str]] = []  # an axis of the view, or None for a place without one
        for place, size in zip(places, root.shape, strict=True):
            if place.axis is None or isinstance(place.start, str):
                parts.append((None, str(place.start)))
                continue
            count = value.shape[place.axis]
            if place.start == 0 and place.step == 1 and count == size:
                parts.append((place.axis, ":"))
            else:
                stop = place.start + place.step * count
                step = "" if place.step == 1 else f":{place.step}"
                parts.append((place.axis, f"{place.start}:{'' if stop < 0 else stop}{step}"))
        axes = [axis for axis, _ in parts if axis is not None]
        for missing in [k for k in range(len(value.shape)) if k not in axes]:  # axes of size 1
            views_of = [k for k, (axis, _) in enumerate(parts) if axis is not None and axis > missing]
            parts.insert(views_of[0] if views_of else len(parts), (missing, "None"))
        axes = [axis for axis, _ in parts if axis is not None]
        while parts and parts[-1][1] == ":":
            parts.pop()
        text = f"{name}[{', '.join(text for _, text in parts)}]" if parts else name
        if axes != sorted(axes):
            text += ".T" if len(axes) == 2 else f".transpose({', '.join(str(axes.index(k)) for k in sorted(axes))})"
        return text

    def vector(self, value: Value) -> str:
        """Write a matrix with one row or one column as a vector."""
        root, places = resolve(value)
        long = max((k for k, n in enumerate(value.shape) if n != 1), default=len(value.shape) - 1)
        shape = value.shape[long : long + 1]
        if is_whole(value) and len(root.shape) > 1:
            return self.reshaped(root, shape)
        inner = tuple(Place(0, p.step, p.start) if p.axis == long else Place(None, 1, p.start) for p in places)
        return self.array(root.view(shape, inner))

    def row(self, of: Value) -> str:
        """Write a whole array as a vector: `sum_1`, or `sum_1[0]` where its first axes have size 1."""
        lead = base(of).shape[:-1]
        if lead and set(lead) == {1}:
            return f"{named(base(of).name)}[{', '.join('0' for _ in lead)}]"
        return self.reshaped(of, (of.size,))

    def reshaped(self, of: Value, shape: tuple[int, ...]) -> str:
        """Name an array in another shape."""
        owner = base(of)
        if owner.shape == shape:
            return named(owner.name)
        key = owner.name, shape
        if key not in self._alias_names:
            name = self.new_name(f"{owner.name}_{'x'.join(map(str, shape))}")
            self._alias_names[key] = name
            self.alias(name, None, owner.name, shape)
        return named(self._alias_names[key])

    def entry(self, value: Value, counters: Sequence[str], merged: Sequence[tuple[int, ...]] | None = None) -> str:
        """Write the entry of `value` at the loop's counters, or its number."""
        root, places = resolve(value)
        if (number := literal(root)) is not None:
            return self.number(number, value.dtype)
        if root.shape == () and base(root) is root:
            return named(root.name) + ("[()]" if base(root).role in ("parameter", "constant") else "")
        groups = [(k,) for k in range(len(counters))] if merged is None else merged
        new = sum(map(len, groups)) - len(value.shape)
        indices: list[str] = []
        shape: list[int] = []
        done: set[int] = set()
        for r, place in enumerate(places):
            if r in done:
                continue
            index, together = named(str(place.start)) if isinstance(place.start, int) else place.start, [r]
            if place.axis is not None and value.shape[place.axis] != 1:
                g = next(k for k, group in enumerate(groups) if place.axis + new in group)
                together = [q for q, p in enumerate(places) if p.axis is not None and p.axis + new in groups[g]]
                index = index_at(place, counters[g])
            done.update(together)
            indices.append(index)
            shape.append(math.prod(root.shape[q] for q in together))
        return f"{self.reshaped(root, tuple(shape))}[{', '.join(indices) or '()'}]"

    def local(self, wanted: str) -> str:
        """Return a unique name for a number inside a loop; many loops may use it."""
        if wanted not in self._local_names:
            self._local_names[wanted] = self.new_name(wanted)
        return self._local_names[wanted]

    def suffixed(self, name: str, dtype: np.dtype) -> str:
        """Name a function of the derivative table for this dtype: exp, or exp_f8 beside it."""
        dtype = dtype if dtype.kind == "f" else self.dtype
        called = name if dtype == self.dtype else f"{name}_{kind_name(dtype)}"
        self.functions[called] = defined(name, dtype)
        return called


KERNELS = kernels, products, convolution, heads, normal  # the modules in which kernels are looked up by name
# What the derivative table calls that is not in `math` under the same name, for all dtypes or for one.
DEFINED: dict[str | tuple[str, str], str] = {
    "arcsin": "math.asin", "arccos": "math.acos", "arctan": "math.atan",
    "arctan2": "math.atan2", "arcsinh": "math.asinh", "arctanh": "math.atanh",
    **{name: f"np.{name}" for name in ("cbrt", "ceil", "exp2", "floor", "fmod", "rint", "trunc")},
    ("exp", "f4"): "kernels.exp32", ("tanh", "f4"): "kernels.tanh32", ("tanh", "f8"): "kernels.tanh64",
}  # fmt: skip


# Reserved names, which no array may have: everything that a program may call, in every dtype, ...
_CALLED = {name for file in (*KERNELS, math) for name, thing in vars(file).items() if callable(thing)}
_CALLED |= {name if isinstance(name, str) else name[0] for name in DEFINED}
TAKEN = frozenset(_CALLED) | {f"{name}_{kind}" for name in _CALLED for kind in ("f4", "f8")} | {
    # ... Python's keywords, the names above every program, and its counters,
    *keyword.kwlist, "range", "min", "max", "abs", "sum", "njit", "np", "f4", "f8", "inf", "nan", *NAMED.values(),
    "kernels", "convolution", "products", "math", "program", "shaped", "barrier", "at", *COUNTERS,
    # and those of the loop over batches.
    "step", "epoch", "order", "X", "Y", "first", "last", "losses", "hits", "rates", "scores", "s", "low", "high",
    "threads", "counter", "parts", "part_hits", "arrivals", "done", "total", "gradients",
}  # fmt: skip


def defined(name: str, dtype: np.dtype) -> str:
    """Return the module path of a function for numbers of this dtype: kernels.exp32 is exp in float32."""
    special = DEFINED.get((name, kind_name(dtype))) or DEFINED.get(name)
    file = next((file for file in KERNELS if hasattr(file, name)), math)
    return special or f"{file.__name__.rpartition('.')[2]}.{name}"


def kind_name(dtype: np.dtype) -> str:
    """Name a dtype in a program: f4, f8, np.int64, np.bool_."""
    return f"f{dtype.itemsize}" if dtype.kind == "f" else "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"
