"""The parts of a program during compilation: values, their places in memory, and the equations between them.

A graph's node can compute itself. A compiled program must also know where numbers lie in memory. So each node becomes a
`Value`, which lies in an `Array` of its own, or is a `View` of another value, or one `Number`. A slice, a transpose or
a broadcast is a view: for each axis of the array that it reads, it gives the index (`Place`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minigrad.compiler.origins import Origin
from minigrad.core.rules import TABLE, Rule


@dataclass(frozen=True)
class Place:
    """The index along one axis of an array: start + step * (index along `axis` of the view); axis None: start alone.

    start is a number, or the name of a loop's counter, or what is counted with it, as text: 2 - t.
    """

    axis: int | None
    step: int = 1
    start: int | str = 0

    def indices(self, shape: Sequence[int]) -> range | str:
        """Return all indices of a view with this shape."""
        if isinstance(self.start, str):
            return self.start
        count = 1 if self.axis is None else shape[self.axis]
        return range(self.start, self.start + self.step * count, self.step)


Places = tuple[Place, ...]


@dataclass
class Array:
    """Memory of a value's own.

    role: "input" (an argument), "parameter" (kept between steps and updated by them), "constant" (it never changes),
    "generator" (of random numbers), "output", or "computed". content: of a parameter or a constant, the numbers.
    """

    role: str = "computed"
    content: np.ndarray | np.random.Generator | None = None


@dataclass
class View:
    """A look at another value. places: its indices there; None for the same array in another shape."""

    of: Value
    places: Places | None = None


@dataclass
class Number:
    """One number everywhere, in the program's text."""

    number: float


@dataclass(eq=False)
class Value:
    """Numbers of one shape and dtype, where they lie (`at`), and the part of the network that they come from.

    A pass may move a value: what had an array of its own becomes a view of another one, or a number.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    at: Array | View | Number = field(default_factory=Array)
    origin: Origin | None = None

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def role(self) -> str:
        """Return the role of its array; "" for a view or a number."""
        return self.at.role if isinstance(self.at, Array) else ""

    @property
    def is_number(self) -> bool:
        return isinstance(self.at, Number)

    def view(self, shape: Sequence[int], places: Places | None = None, hint: str = "") -> Value:
        """Return a view of this value."""
        return Value(f"{self.name}_{hint}" if hint else "", tuple(shape), self.dtype, View(self, places))

    def __repr__(self) -> str:
        return f"<{self.name}: {self.dtype} {self.shape}>"


def identity(shape: Sequence[int]) -> Places:
    """Return the places of a view that is a whole array as it is."""
    return _axes(len(shape))


@functools.cache
def _axes(count: int) -> Places:
    return tuple(Place(k) for k in range(count))


def through(outer: Places, inner: Places) -> Places:
    """Compose views: the places of `outer`, a view of the view `inner`, in the array that `inner` reads."""
    composed = []
    for place in inner:
        if place.axis is None:
            composed.append(place)
            continue
        seen = outer[place.axis]
        if isinstance(seen.start, str):
            composed.append(Place(None, 1, index_at(place, seen.start)))
        elif isinstance(place.start, str):
            raise AssertionError("an axis that a loop counter picked has nothing left to slice")
        else:
            composed.append(Place(seen.axis, place.step * seen.step, place.start + place.step * seen.start))
    return tuple(composed)


def index_at(place: Place, counter: str) -> str:
    """Return the index at `place` as text, for the index `counter` along its axis."""
    index = counter if counter.isidentifier() else f"({counter})"
    if place.step == -1:
        return f"{place.start} - {index}"
    text = index if place.step == 1 else f"{place.step} * {index}"
    return text if place.start == 0 else f"{place.start} + {text}"


def resolve(value: Value) -> tuple[Value, Places]:
    """Return the array that `value` reads, and the places in it. The array is whole, or a reshape of a whole one."""
    looks = []
    while isinstance(value.at, View) and value.at.places is not None:
        looks.append(value.at.places)
        value = value.at.of
    places = looks.pop() if looks else identity(value.shape)
    while looks:  # from the array on: a slice of a slice is one slice before a loop counter appears in it
        places = through(looks.pop(), places)
    return value, places


def base(value: Value) -> Value:
    """Return the value whose array `value` reads."""
    while isinstance(value.at, View):
        value = value.at.of
    return value


def views_of(value: Value) -> Iterator[Value]:
    """Yield the values that `value` is a view of, one after the other; the last one owns the array."""
    while isinstance(value.at, View):
        value = value.at.of
        yield value


def is_whole(value: Value) -> bool:
    """Tell whether `value` is all of an array, in order, so that it can be reshaped without copying."""
    array, places = resolve(value)
    return places == identity(array.shape) and value.shape == array.shape


def literal(value: Value) -> float | None:
    """Return the number of a value that is one number everywhere, else None."""
    at = base(value).at
    return at.number if isinstance(at, Number) else None


def transposed(matrix: Value) -> Value:
    """Return the transpose of a matrix as a view."""
    return matrix.view(matrix.shape[::-1], (Place(1), Place(0)), "T")


def disjoint(a: Places, a_shape: Sequence[int], b: Places, b_shape: Sequence[int]) -> bool:
    """Tell whether two views of one array certainly share no entry."""
    for p, q in zip(a, b, strict=True):
        a_indices, b_indices = p.indices(a_shape), q.indices(b_shape)
        if isinstance(a_indices, range) and isinstance(b_indices, range) and not set(a_indices) & set(b_indices):
            return True
    return False


@dataclass(eq=False)
class Equation:
    """One equation of the program: `out` from `inputs`."""

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
    """Return the equation that copies `value` into `out`, converting the dtype if they differ."""
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
    """out is assembled from its inputs, each at its places; the rest is `fill`.

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
    """Ends the step if its input, the loss, is not finite, before anything is stored.

    results: the program's results in that case.
    """

    results: list[Value] = field(default_factory=list)

    @property
    def outs(self) -> list[Value]:
        return []


@dataclass(eq=False)
class Loop(Equation):
    """A loop over time. `body` reads the counter's slice of stacked inputs and writes that of stacked outputs.

    carries: (kept value, its start, its next value in the body). It has no inputs: see `all_reads`.
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


def reads(equation: Equation) -> list[Value]:
    """Return the values that an equation itself needs; of a loop, the first and the next ones of what it carries."""
    if isinstance(equation, Loop):
        return [value for _, start, new in equation.carries for value in (start, new)]
    more = [equation.adds, equation.scale] if isinstance(equation, Product) else []
    return [*equation.inputs, *(value for value in more if value is not None)]


def all_reads(equation: Equation) -> list[Value]:
    """Return what an equation reads; for a loop over time also what its body reads from outside."""
    if not isinstance(equation, Loop):
        return reads(equation)
    own = {id(value) for value in equation.results} | {id(v) for e in equation.body for v in e.outs}
    values = [v for e in equation.body for v in all_reads(e)] + reads(equation)
    return [v for v in values if id(resolve(v)[0]) not in own and id(base(v)) not in own]
