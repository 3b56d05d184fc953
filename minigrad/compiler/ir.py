"""A program during the passes, and their common queries: the readers of a value, and the shapes it is viewed in."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Loop,
    Number,
    Place,
    Places,
    Value,
    View,
    base,
    copied,
    identity,
    is_whole,
    reads,
    views_of,
)
from minigrad.core.arrays import DTypeLike

if TYPE_CHECKING:
    from minigrad.compiler.memory import Buffer


@dataclass
class ProgramIR:
    """The equations and outputs of a program. A pass modifies it, and returns a description of its changes.

    new: makes a value with an array of its own (Linearizer.new). buffers: the arrays that the program writes to, once
    they are known.
    """

    equations: list[Equation]
    outputs: list[Value]
    new: Callable[..., Value]
    buffers: list[Buffer] = field(default_factory=list)

    def copy(self, value: Value, name: str, dtype: DTypeLike = None) -> Elementwise:
        """The equation that copies `value` into an array of its own."""
        return copied(value, self.new(name, value.shape, value.dtype if dtype is None else dtype))


def groups(equations: list[Equation]) -> Iterator[list[Equation]]:
    """Yield the list of equations, and the lists inside its loops, inner ones first."""
    for equation in equations:
        if isinstance(equation, Loop):
            yield from groups(equation.body)
    yield equations


def all_equations(equations: list[Equation]) -> Iterator[Equation]:
    """Yield all equations, including those inside loops."""
    for group in groups(equations):
        yield from group


def uses(equations: list[Equation]) -> Counter[int]:
    """Count the equations that read each value's array, by id of the value that owns it."""
    count: Counter[int] = Counter()
    for equation in all_equations(equations):
        count.update({id(base(value)) for value in reads(equation)})
    return count


def reshaped(equations: list[Equation]) -> set[int]:
    """Return the values that are read in another shape, which only whole arrays allow."""
    whole_only = set()
    for equation in all_equations(equations):
        for value in [*reads(equation), *equation.outs]:
            through_shape = False
            for one, seen in itertools.pairwise([value, *views_of(value)]):
                through_shape = through_shape or (isinstance(one.at, View) and one.at.places is None)
                if through_shape:
                    whole_only.add(id(seen))
    return whole_only


def can_alias(value: Value, other: Value, places: Places, fixed: set[int]) -> bool:
    """Tell whether `value` can become a view of `other` at these places: if it is read in another shape, the view must
    be a whole array in order.

    fixed: the result of `reshaped`. Values that such a view reads join it.
    """
    if id(value) not in fixed:
        return True
    if not is_whole(other) or value.shape != other.shape or places != identity(other.shape):
        return False
    fixed.update(id(seen) for seen in (other, *views_of(other)))
    return True


def become(value: Value, other: Value) -> None:
    """Turn `value` into a view of `other`, broadcast to a larger shape if necessary, or into the same number."""
    new = len(value.shape) - len(other.shape)
    places = (Place(None) if n == 1 and value.shape[k] != 1 else Place(k) for k, n in enumerate(other.shape, new))
    value.at = other.at if isinstance(other.at, Number) else View(other, tuple(places))
