"""What an operation is: one value, and one derivative for each input, used in two directions.

Everything that minigrad differentiates is built from operations. An operation knows three things:

    value(*inputs)                 what it computes
    jvp(i, tangent, v, *inputs)    how a small change of input i changes the value     (forward mode)
    vjp(i, adjoint, v, *inputs)    how much each entry of input i is to blame for it   (reverse mode)

`v` is the value. Both derivatives are written with operations as well. So they work on numbers and arrays,
on dual numbers and on graph nodes alike, and a derivative can be differentiated again.

This file does not know what a dual number or a graph node is. They say so themselves: see `Traced`.
"""

from __future__ import annotations

import functools
import linecache
import operator
import os
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any, NamedTuple

import numpy as np


class Traced:
    """A value that watches what is done to it: a `Dual`, an `Example` of many (see vmap.py), or a graph `Node`.

    When an operation meets traced inputs, the one with the largest `tag` takes the operation over. Derivatives and
    vmaps are numbered as they begin, so that inner ones lie above outer ones, and graph nodes below them all.
    """

    __slots__ = ()
    tag = -1  # of the derivative or the vmap that a dual number or an example belongs to; a node belongs to none

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Any:
        """Apply `op` to `inputs`, of which at least one is traced with this tag."""
        raise TypeError(f"{type(self).__name__} does not say how operations apply to it: define lift()")


class Operation:
    """Base of all operations: a row of the derivative table (`rules.py`) or a small class in `ops/`."""

    name = "operation"
    symbol: str | None = None  # a shorter name for pictures, such as "+"
    elementwise = False  # True where out[k] depends on the inputs at k alone (after broadcasting)
    part: int | None = None  # which of several results of its input this is (see scan.py); None: an ordinary operation
    rng: Any = None  # the generator that it draws from, each time that a graph runs; None: it does not draw

    def __call__(self, *inputs: Any) -> Any:
        owner = None
        for x in inputs:
            if isinstance(x, Traced) and (owner is None or x.tag > owner.tag):
                owner = x
        return evaluate(self, inputs) if owner is None else owner.lift(self, inputs)

    def value(self, *inputs: Any, out: np.ndarray | None = None) -> Any:
        """The value for NumPy inputs: a new array, or `out` filled without allocating another one."""
        raise TypeError(f"{self.name} has no value(self, *inputs, out=None): what does it compute?")

    def jvp(self, i: int, tangent: Any, v: Any, *inputs: Any) -> Any:
        """What `tangent` of input i adds to the value's tangent.

        As it stands here it is right for operations that are linear in each input, such as sum or matmul:
        put the tangent in the input's place.
        """
        return self(*inputs[:i], tangent, *inputs[i + 1 :])

    def vjp(self, i: int, adjoint: Any, v: Any, *inputs: Any) -> Any:
        """What `adjoint` of the value adds to the adjoint of input i; None where nothing flows back."""
        raise TypeError(f"{self.name} has no vjp(self, i, adjoint, v, *inputs): how does an adjoint go back?")

    def lower(self, to: Any, node: Any, *inputs: Any) -> Any:
        """How a compiled program computes `node`, an application of this operation, from what it has for the inputs.

        As it stands here it calls `kernel`: a function (*inputs, out) that numba can compile and that fills `out`.
        Where the program has better words for it, as views, products, sums and kernels of its own, an operation says
        them: `to` has a method for each (minigrad/compiler/linearize.py).
        """
        return to.kernel_of(node, inputs)

    def pullback(self, needed: Sequence[int], adjoint: Any, v: Any, *inputs: Any) -> list[Any]:
        """`vjp` for the inputs `needed`; for operations that find them all at once."""
        return [self.vjp(i, adjoint, v, *inputs) for i in needed]

    def pushforward(self, tangents: Mapping[int, Any], v: Any, *inputs: Any) -> Any:
        """The value's tangent from those of some inputs; None where nothing flows."""
        return total([self.jvp(i, tangent, v, *inputs) for i, tangent in tangents.items()])

    def text(self, *names: str) -> str:
        """The operation as Python text on inputs called `names`, for tables, pictures and errors."""
        return f"{self.name}({', '.join(names)})"

    def advice(self, *inputs: Any) -> str:
        """What to try when `value` refused `inputs`: a sentence for the error message, or nothing."""
        return ""

    def limits(self, i: int, *inputs: Any) -> tuple[int, int] | None:
        """The least and the largest integer that input i may hold, if `value` looks something up by it; else None.

        A compiled program, which checks nothing on its way, has its inputs looked through beforehand.
        """
        return None

    def outside(self, i: int, number: int, row: int, *inputs: Any) -> Exception:
        """What `value` raises where row `row` of input i holds a number that is not within its `limits`."""
        low, high = self.limits(i, *inputs) or (number, number)
        return IndexError(f"{number} in row {row} is out of range. There the integers go from {low} to {high}")

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def total(contributions: Sequence[Any]) -> Any:
    """The sum of derivative contributions; None if there are none."""
    found = [c for c in contributions if c is not None]
    return functools.reduce(operator.add, found) if found else None


def stored(found: Any, out: np.ndarray | None) -> Any:
    """A value that has been found: itself, or copied to `out`. For operations that cannot compute in place."""
    if out is None:
        return found
    np.copyto(out, found)
    return out


def plain(value: Any) -> Any:
    """A number as a Python float, an array as it is."""
    return value.item() if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0 else value


# Errors: a learner's mistake is told as one sentence, with the learner's own line.


class Line(NamedTuple):
    """A line of the code outside minigrad that led here."""

    file: str
    number: int

    def __str__(self) -> str:
        return self._sentence(f"line {self.number} of your cell", f"{os.path.basename(self.file)}, line {self.number}")

    def unnumbered(self) -> str:
        """The same without the number, which changes with every line that is written above."""
        return self._sentence("your cell", os.path.basename(self.file))

    def _sentence(self, in_cell: str, in_file: str) -> str:
        source = linecache.getline(self.file, self.number).strip()
        place = in_cell if "ipykernel" in self.file or self.file.startswith("<ipython") else in_file
        return f"{place}: `{source}`" if source else place


HOUSE = os.path.dirname(os.path.abspath(__file__)) + os.sep
HOUSES = (HOUSE, HOUSE[: -len(os.sep)] + "_course" + os.sep)  # the library, and the course around it


@functools.cache
def _is_ours(file: str) -> bool:
    """Whether a file is minigrad's own, remembered: every new node asks for all frames on its way to the learner."""
    return file.startswith(HOUSES)


def learner_line() -> Line | None:
    """The innermost line on the call stack that is not minigrad's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)


def describe(x: Any) -> str:
    """The shape and dtype of an input, as error messages name it."""
    if isinstance(x, int | float) and not isinstance(x, np.generic):
        return f"the number {x}"
    if isinstance(x, np.ndarray | np.generic):
        return f"{x.dtype} of shape {x.shape}"
    return kind_of(x)


def kind_of(x: Any) -> str:
    """What x is, with an article: "a Variable", "an int", "an ndarray"."""
    name = type(x).__name__.lstrip("_")
    return f"{'an' if name[:1] in 'AEIOUaeio' or name == 'ndarray' else 'a'} {name}"


def evaluate(op: Operation, inputs: Sequence[Any], line: Line | None = None) -> Any:
    """`op.value(*inputs)`; where NumPy refuses, the error names the operation, its inputs and the learner's line."""
    try:
        return op.value(*inputs)
    except (ValueError, TypeError, IndexError) as error:
        raise refusal(op, inputs, error, line or learner_line()) from None


def refusal(op: Operation, inputs: Sequence[Any], error: Exception, line: Line | None) -> Exception:
    """An error as the learner reads it: the operation, what it was given, why it cannot take it, and where."""
    given = " and ".join(describe(x) for x in inputs)
    advice = op.advice(*inputs) or str(error)
    message = f"{op.name} cannot take {given}. {advice.rstrip('.')}." + (f" At {line}" if line else "")
    # NumPy's own kinds of these errors want other arguments than a message.
    kind = next(kind for kind in (ValueError, TypeError, IndexError) if isinstance(error, kind))
    return kind(message)
