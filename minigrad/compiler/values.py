"""What a program is made of while it is being compiled: values, where each lies, and the equations between them.

A graph's node knows how to compute itself. A compiled program needs more: which numbers lie where in memory. So each
node becomes a `Value`. Most have an array of their own. A slice, a transpose or a broadcast has none: it says, for each
axis of the array it looks at, which index stands there (`Place`). What is read through it is read from that array.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.compiler.origins import Origin
from minigrad.rules import TABLE, Rule


@dataclass(frozen=True)
class Place:
    """The index along one axis of an array: start + step * (index along `axis` of the view); axis None: start alone.

    start is a number, or the name of a loop's counter, or what is counted with it, as text: 2 - t.
    """

    axis: int | None
    step: int = 1
    start: int | str = 0

    def indices(self, shape: Sequence[int]) -> range | str:
        """All indices that are met when the view has this shape."""
        if isinstance(self.start, str):
            return self.start
        count = 1 if self.axis is None else shape[self.axis]
        return range(self.start, self.start + self.step * count, self.step)


Places = tuple[Place, ...]


@dataclass(eq=False)
class Value:
    """Numbers of one shape and dtype, and where they come from.

    role: "input" (put in from outside), "parameter" (kept between steps and changed by them), "constant" (an array that
    never changes), "literal" (a single number written into the program), "computed". array: the numbers behind a
    parameter or a constant; for a literal, the number. root: the value whose array this one looks into. places: how it
    does; None for a reshape, which is the same array with another shape.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    role: str = "computed"
    array: Any = None
    root: Value | None = None
    places: Places | None = None
    origin: Origin | None = None  # where in the network it comes from

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def is_literal(self) -> bool:
        return self.role == "literal"

    def __repr__(self) -> str:
        return f"<{self.name}: {self.dtype} {self.shape}>"


def whole(shape: Sequence[int]) -> Places:
    """The places of a view that shows all of an array as it is."""
    return _axes(len(shape))


@functools.cache
def _axes(count: int) -> Places:
    return tuple(Place(k) for k in range(count))


def through(outer: Places, inner: Places) -> Places:
    """The places in the array that `inner` looks into, of a view `outer` of what `inner` shows."""
    found = []
    for place in inner:
        if place.axis is None:
            found.append(place)
            continue
        seen = outer[place.axis]
        if isinstance(seen.start, str):
            found.append(Place(None, 1, counted(place, seen.start)))
        elif isinstance(place.start, str):
            raise AssertionError("an axis that a loop counter picked has nothing left to slice")
        else:
            found.append(Place(seen.axis, place.step * seen.step, place.start + place.step * seen.start))
    return tuple(found)


def counted(place: Place, counter: str) -> str:
    """The index at `place` when the index along its axis is `counter`, as text."""
    index = counter if counter.isidentifier() else f"({counter})"
    if place.step == -1:
        return f"{place.start} - {index}"
    text = index if place.step == 1 else f"{place.step} * {index}"
    return text if place.start == 0 else f"{place.start} + {text}"


def resolve(value: Value) -> tuple[Value, Places]:
    """The array that `value` is read from, and the places in it. The array is whole, or a reshape of a whole one."""
    looks = []
    while value.root is not None and value.places is not None:
        looks.append(value.places)
        value = value.root
    places = looks.pop() if looks else whole(value.shape)
    while looks:  # from the array on: a slice of a slice is one slice before a loop counter stands in it
        places = through(looks.pop(), places)
    return value, places


def storage(value: Value) -> Value:
    """The value whose array `value` lies in."""
    while value.root is not None:
        value = value.root
    return value


def behind(value: Value) -> Iterator[Value]:
    """The values that `value` looks into, one after the other; the last one owns the array."""
    while value.root is not None:
        value = value.root
        yield value


def is_whole(value: Value) -> bool:
    """Whether `value` is all of an array, in order: then it can be reshaped without copying."""
    array, places = resolve(value)
    return places == whole(array.shape) and value.shape == array.shape


def literal(value: Value) -> float | None:
    """The number that `value` is everywhere, if it is one."""
    root = storage(value)
    return root.array if root.is_literal else None


def transposed(matrix: Value) -> Value:
    """A matrix seen the other way round."""
    shape = matrix.shape[::-1]
    return Value(f"{matrix.name}_T", shape, matrix.dtype, root=matrix, places=(Place(1), Place(0)))


def disjoint(a: Places, a_shape: Sequence[int], b: Places, b_shape: Sequence[int]) -> bool:
    """Whether two views of one array certainly share no entry."""
    for p, q in zip(a, b, strict=True):
        mine, theirs = p.indices(a_shape), q.indices(b_shape)
        if isinstance(mine, range) and isinstance(theirs, range) and not set(mine) & set(theirs):
            return True
    return False


@dataclass(eq=False)
class Equation:
    """One line of the program before it is text: `out` from `inputs`."""

    out: Value
    inputs: list[Value]

    @property
    def outs(self) -> list[Value]:
        return [self.out]


@dataclass(eq=False)
class Elementwise(Equation):
    """out[k] = an expression of the inputs at k; they broadcast.

    rule: the name of the row of minigrad's derivative table that has this expression, or "copy". "" for a row of one's
    own, of which nothing else is known, whatever it is called.
    """

    expression: str
    letters: tuple[str, ...]
    rule: str


def row(rule: Rule, inputs: Sequence[Value], out: Value) -> Elementwise:
    """The equation for a row of the derivative table."""
    known = TABLE.get(rule.name)
    name = rule.name if known is not None and known.expression == rule.expression else ""
    return Elementwise(out, list(inputs), rule.expression, rule.inputs, name)


def copied(value: Value, out: Value) -> Elementwise:
    """The equation that copies `value` into `out`; where their dtypes differ it converts."""
    return Elementwise(out, [value], "a", ("a",), "copy")


@dataclass(eq=False)
class Product(Equation):
    """out = a @ b, times `scale`, times -1 if `negative`, plus `adds`, in whose memory `out` then lies.

    Leading axes count matrices. scale: a single number, or None for 1.
    """

    adds: Value | None = None
    scale: Value | None = None
    negative: bool = False


@dataclass(eq=False)
class Reduce(Equation):
    """out = the sum or the largest entry of the input over `axes`, which are kept with size 1."""

    axes: tuple[int, ...]
    kind: str


@dataclass(eq=False)
class Assemble(Equation):
    """out is put together from its inputs, each at its places; what they leave is `fill`.

    A concatenation, a padding, or the adjoint of a slice.
    """

    at: list[Places]
    fill: float | None


@dataclass(eq=False)
class Call(Equation):
    """out filled by a kernel: kernel(*inputs, *extra, *work, *also, out). work: scratch arrays. also: more results."""

    kernel: str
    extra: tuple[Any, ...] = ()
    work: list[Value] = field(default_factory=list)
    also: list[Value] = field(default_factory=list)

    @property
    def outs(self) -> list[Value]:
        return [self.out, *self.also]


@dataclass(eq=False)
class Store(Equation):
    """The new value of a parameter: `out` is the parameter, the input goes into it at the end of the step."""


@dataclass(eq=False)
class Guard(Equation):
    """If the loss, its input, is no finite number, the step ends here: nothing that is kept has been written yet.

    results: what the program gives back, then as at its end.
    """

    results: list[Value] = field(default_factory=list)

    @property
    def outs(self) -> list[Value]:
        return []


@dataclass(eq=False)
class Loop(Equation):
    """A loop over time. `body` reads the counter's slice of stacked inputs and writes that of stacked outputs.

    carries: (kept value, its start, its next value in the body). inputs: all that the body reads from outside.
    """

    results: list[Value]
    counter: str
    steps: int
    backwards: bool
    carries: list[tuple[Value, Value, Value]]
    body: list[Equation]

    @property
    def outs(self) -> list[Value]:
        return self.results

    @property
    def handed_on(self) -> list[Value]:
        """What the carried values start from, and their next values."""
        return [value for _, start, new in self.carries for value in (start, new)]


def reads(equation: Equation) -> list[Value]:
    """All values that must be there before `equation` runs."""
    more = [equation.adds, equation.scale] if isinstance(equation, Product) else []
    return [*equation.inputs, *(value for value in more if value is not None)]
