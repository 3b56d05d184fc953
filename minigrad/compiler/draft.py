"""A program while passes work on it, and what many of them ask: who reads a value, and what it is seen as."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from minigrad.compiler.values import (
    Elementwise,
    Equation,
    Loop,
    Place,
    Places,
    Value,
    behind,
    copied,
    is_whole,
    reads,
    storage,
    whole,
)

if TYPE_CHECKING:
    from minigrad.compiler.memory import Buffer


@dataclass
class Draft:
    """The equations of a program, and what it gives back. A pass takes a draft, changes it, and says what it did.

    new: makes a value with an array of its own (Linearizer.new). buffers: the arrays that the program writes into,
    once they are known.
    """

    equations: list[Equation]
    outputs: list[Value]
    new: Callable[..., Value]
    buffers: list[Buffer] = field(default_factory=list)

    def copy(self, value: Value, name: str, dtype: Any = None) -> Elementwise:
        """The equation that copies `value` into an array of its own."""
        return copied(value, self.new(name, value.shape, value.dtype if dtype is None else dtype))


def groups(equations: list[Equation]) -> Iterator[list[Equation]]:
    """The list, and the lists inside its loops, inner ones first."""
    for equation in equations:
        if isinstance(equation, Loop):
            yield from groups(equation.body)
    yield equations


def all_equations(equations: list[Equation]) -> Iterator[Equation]:
    """The equations, those inside of loops too."""
    for group in groups(equations):
        yield from group


def looked_at(equation: Equation) -> list[Value]:
    """What an equation reads; of a loop also what it starts from and hands on."""
    return [*reads(equation), *(equation.handed_on if isinstance(equation, Loop) else [])]


def inside(loop: Loop) -> set[int]:
    """The values that change while the loop runs."""
    found = {id(value) for value in loop.results} | {id(value) for value, _, _ in loop.carries}
    for equation in loop.body:
        found |= {id(storage(value)) for value in equation.outs}
        if isinstance(equation, Loop):
            found |= inside(equation)
    return found


def all_read(loop: Loop) -> list[Value]:
    """What is read in the body of a loop, in the loops inside it, and handed on."""
    return [v for e in loop.body for v in (all_read(e) if isinstance(e, Loop) else reads(e))] + loop.handed_on


def list_inputs(loop: Loop) -> None:
    """Find out anew what a loop reads from outside, and which result is its first, after it has changed."""
    own = inside(loop)
    loop.inputs = list({id(v): v for v in all_read(loop) if id(storage(v)) not in own}.values())
    if loop.results:
        loop.out = loop.results[0]


def uses(equations: list[Equation]) -> Counter[int]:
    """How many equations read each value's array, by id of the value that owns it."""
    count: Counter[int] = Counter()
    for equation in all_equations(equations):
        seen = equation.handed_on if isinstance(equation, Loop) else reads(equation)
        count.update({id(storage(value)) for value in seen})
    return count


def reshaped(equations: list[Equation]) -> set[int]:
    """The values that something looks at under another shape, which only whole arrays allow."""
    found = set()
    for equation in all_equations(equations):
        for value in [*looked_at(equation), *equation.outs]:
            through_shape = False
            for one, seen in itertools.pairwise([value, *behind(value)]):
                through_shape = through_shape or one.places is None
                if through_shape:
                    found.add(id(seen))
    return found


def may_show(value: Value, other: Value, places: Places, fixed: set[int]) -> bool:
    """Whether `value` can look into `other` at these places from now on: where it is looked at under another shape, it
    has to be all of an array in order.

    fixed: what `reshaped` has found. What such a value looks into from now on joins it.
    """
    if id(value) not in fixed:
        return True
    if not is_whole(other) or value.shape != other.shape or places != whole(other.shape):
        return False
    fixed.update(id(seen) for seen in (other, *behind(other)))
    return True


def become(value: Value, other: Value) -> None:
    """From now on `value` is `other`, copied along new axes where its shape is larger."""
    new = len(value.shape) - len(other.shape)
    if other.is_literal:
        become_number(value, other.array)
        return
    value.root, value.role = other, "computed"
    value.places = tuple(
        Place(None) if n == 1 and value.shape[k + new] != 1 else Place(k + new) for k, n in enumerate(other.shape)
    )


def become_number(value: Value, number: float) -> None:
    """From now on `value` is one number, everywhere the same."""
    value.role, value.array, value.root, value.places = "literal", number, None, None
