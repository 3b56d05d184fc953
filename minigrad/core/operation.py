"""The base class of operations: one value, and one derivative for each input, used in two directions.

Everything that minigrad differentiates is built from operations. An operation defines three things:

    value(*inputs)                 the value
    jvp(i, tangent, v, *inputs)    the effect of a small change of input i on the value    (forward mode)
    vjp(i, adjoint, v, *inputs)    the share of input i in the derivative of the output    (reverse mode)

`v` is the value. Both derivatives are written with operations as well. So they work on numbers and arrays, on dual
numbers and on graph nodes alike, and a derivative can be differentiated again.

This file knows neither dual numbers nor graph nodes. They derive from `Traced`.
"""

from __future__ import annotations

import functools
import linecache
import operator
import os
import sys
from collections.abc import Mapping, Sequence
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from minigrad.compiler.values import Value
    from minigrad.core.node import Node
    from minigrad.core.rules import Rule


class Traced:
    """A value that records or transforms operations: a `Dual`, an `Example` of many (vmap.py), or a graph `Node`.

    If an operation has traced inputs, the one with the largest `tag` handles the operation. Derivatives and vmaps are
    numbered as they begin, so inner ones come above outer ones, and graph nodes below them all.
    """

    __slots__ = ()
    tag = -1  # of the derivative or the vmap that a dual number or an example belongs to; a node belongs to none

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Any:
        """Apply `op` to `inputs`, of which at least one is traced with this tag."""
        raise TypeError(f"{type(self).__name__} does not say how operations apply to it: define lift()")


class Lowering(Protocol):
    """The methods with which `Operation.lower` writes a node as equations, as in `minigrad.compiler.linearize`."""

    # Computations.

    def elementwise(self, node: Node, rule: Rule, inputs: Sequence[Value]) -> Value: ...
    def product(self, node: Node, a: Value, b: Value) -> Value: ...
    def reduced(self, node: Node, of: Value, axes: tuple[int, ...], kind: str) -> Value: ...
    def assembled(self, node: Node, pieces: Sequence[Value], keys: Sequence[Any], fill: float | None) -> Value: ...
    def call(
        self, node: Node, kernel: str, inputs: Sequence[Value], extra: tuple[Any, ...] = (), work: Sequence[Value] = ()
    ) -> Value: ...
    def kernel_of(self, node: Node, inputs: Sequence[Value]) -> Value: ...
    def same_as(self, node: Node, other: Node) -> Value: ...

    # Arrays.

    def new(self, name: str, shape: Sequence[int], dtype: Any) -> Value: ...
    def constant(self, name: str, array: np.ndarray) -> Value: ...
    def generator(self, rng: np.random.Generator) -> Value: ...
    def cast(self, value: Value, dtype: np.dtype) -> Value: ...

    # Views.

    def reshaped(self, of: Value, shape: tuple[int, ...]) -> Value: ...
    def transposed(self, of: Value, axes: Sequence[int]) -> Value: ...
    def broadcast(self, of: Value, shape: tuple[int, ...]) -> Value: ...
    def sliced(self, of: Value, key: Any, shape: tuple[int, ...]) -> Value: ...


class Operation:
    """Base of all operations: a row of the derivative table (`rules.py`) or a small class in `ops/`."""

    name = "operation"
    symbol: str | None = None  # a shorter name for pictures, such as "+"
    elementwise = False  # out[k] depends on the inputs at k alone (after broadcasting)
    part: int | None = None  # the index of this result among several of its input (see scan.py)
    rng: Any = None  # the generator that it draws from at each run of a graph; None: it is deterministic

    def __call__(self, *inputs: Any) -> Any:
        owner = None
        for x in inputs:
            if isinstance(x, Traced) and (owner is None or x.tag > owner.tag):
                owner = x
        return evaluate(self, inputs) if owner is None else owner.lift(self, inputs)

    def value(self, *inputs: Any, out: np.ndarray | None = None) -> Any:
        """Compute the value for NumPy inputs: a new array, or `out` filled without allocating another one."""
        raise TypeError(f"{self.name} has no value(self, *inputs, out=None): what does it compute?")

    def blank(self, *inputs: Any) -> Any:
        """Return an array like the value, whatever is in it, for graphs whose values nobody may ask for.

        This default computes the value. Define it where that would compile a kernel or take long.
        """
        return self.value(*inputs)

    def jvp(self, i: int, tangent: Any, v: Any, *inputs: Any) -> Any:
        """Return the contribution of input i's `tangent` to the value's tangent.

        This default is right for operations that are linear in each input, such as sum or matmul: it puts the tangent
        in the input's place.
        """
        return self(*inputs[:i], tangent, *inputs[i + 1 :])

    def vjp(self, i: int, adjoint: Any, v: Any, *inputs: Any) -> Any:
        """Return the contribution of the value's `adjoint` to the adjoint of input i; None if it has none."""
        raise TypeError(f"{self.name} has no vjp(self, i, adjoint, v, *inputs): how does an adjoint go back?")

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        """Lower `node`, an application of this operation, to a compiled program, from the lowered inputs.

        This default calls `kernel`: a function (*inputs, out) that numba can compile and that fills `out`. An operation
        that the program can express better, with views, products, sums and the compiler's kernels, calls the methods of
        `to`.
        """
        return to.kernel_of(node, inputs)

    def pullback(self, needed: Sequence[int], adjoint: Any, v: Any, *inputs: Any) -> list[Any]:
        """Return `vjp` for the inputs `needed`, for operations that compute them together."""
        return [self.vjp(i, adjoint, v, *inputs) for i in needed]

    def pushforward(self, tangents: Mapping[int, Any], v: Any, *inputs: Any) -> Any:
        """Return the value's tangent from those of some inputs; None if it is zero."""
        return total([self.jvp(i, tangent, v, *inputs) for i, tangent in tangents.items()])

    def text(self, *names: str) -> str:
        """The operation as Python text on inputs called `names`, for tables, pictures and errors."""
        return f"{self.name}({', '.join(names)})"

    def advice(self, *inputs: Any) -> str:
        """Suggest a remedy when `value` refused `inputs`: a sentence for the error message, or ""."""
        return ""

    def limits(self, i: int, *inputs: Any) -> tuple[int, int] | None:
        """Return the least and the largest integer that input i may hold, if `value` looks something up by it; else
        None.

        The inputs of a compiled program, which checks nothing itself, are checked beforehand.
        """
        return None

    def outside(self, i: int, number: int, row: int, *inputs: Any) -> Exception:
        """Return the error of `value` for a number in row `row` of input i that exceeds its `limits`."""
        low, high = self.limits(i, *inputs) or (number, number)
        return IndexError(f"{number} in row {row} is out of range. There the integers go from {low} to {high}")

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def total(contributions: Sequence[Any]) -> Any:
    """Add up derivative contributions; None if there are none."""
    terms = [c for c in contributions if c is not None]
    return functools.reduce(operator.add, terms) if terms else None


def stored(value: Any, out: np.ndarray | None) -> Any:
    """Return a computed value, or copy it to `out`. For operations that cannot compute in place."""
    if out is None:
        return value
    np.copyto(out, value)
    return out


def plain(value: Any) -> Any:
    """Return a number as a Python float, an array unchanged."""
    return value.item() if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0 else value


# Errors: a learner's mistake is explained in one sentence, with the learner's own line.


class Line(NamedTuple):
    """A line of the code outside minigrad that led here."""

    file: str
    number: int

    def __str__(self) -> str:
        return self._sentence(f"line {self.number} of your cell", f"{os.path.basename(self.file)}, line {self.number}")

    def unnumbered(self) -> str:
        """Return the line without its number, which changes with every line inserted above."""
        return self._sentence("your cell", os.path.basename(self.file))

    def _sentence(self, in_cell: str, in_file: str) -> str:
        source = linecache.getline(self.file, self.number).strip()
        place = in_cell if "ipykernel" in self.file or self.file.startswith("<ipython") else in_file
        return f"{place}: `{source}`" if source else place


HOUSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
HOUSES = (HOUSE, HOUSE[: -len(os.sep)] + "_course" + os.sep)  # the library, and the course around it


@functools.cache
def is_ours(file: str) -> bool:
    """Tell whether a file is minigrad's own; cached, since every new node walks the stack up to the learner's line."""
    return file.startswith(HOUSES)


def learner_line() -> Line | None:
    """Return the innermost line on the call stack outside minigrad."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)


def describe(x: Any) -> str:
    """Describe an input by shape and dtype, for error messages."""
    if isinstance(x, int | float) and not isinstance(x, np.generic):
        return f"the number {x}"
    if isinstance(x, np.ndarray | np.generic):
        return f"{x.dtype} of shape {x.shape}"
    return kind_of(x)


def kind_of(x: Any) -> str:
    """Return x's type with an article: "a Variable", "an int", "an ndarray"."""
    name = type(x).__name__.lstrip("_")
    return f"{'an' if name[:1] in 'AEIOUaeio' or name == 'ndarray' else 'a'} {name}"


def numberless(x: Any) -> str:
    """Describe what holds no numbers, for error messages: "a dict", "the text 'a'"; "" for what holds some."""
    if isinstance(x, Traced | int | float):
        return ""
    if isinstance(x, ModuleType):
        return f"the module {x.__name__}"
    if isinstance(x, type):
        return f"the class {x.__name__}"
    if isinstance(x, FunctionType | BuiltinFunctionType | np.ufunc):
        return f"the function {x.__name__} itself: call it first"
    try:
        array = np.asarray(x)
    except ValueError as error:
        return "rows of unequal lengths" if "inhomogeneous" in str(error) else ""
    except TypeError:  # a list with a node in it, which has its own advice
        return ""
    if array.dtype.kind in "fiubc":
        return ""
    if isinstance(x, str | bytes) or x is None:
        return "None" if x is None else f"the text {x!r:.40}"
    if array.dtype.kind not in "OUS":
        return f"{array.dtype} of shape {array.shape}"
    held = "objects" if array.dtype == object else "texts"
    return f"{kind_of(x)} of {held}, of shape {array.shape}" if isinstance(x, np.ndarray | list | tuple) else kind_of(x)


def evaluate(op: Operation, inputs: Sequence[Any], line: Line | None = None) -> Any:
    """Evaluate `op.value(*inputs)`; if NumPy refuses, the error names the operation, its inputs and the learner's
    line.
    """
    try:
        return op.value(*inputs)
    except (ValueError, TypeError, IndexError) as error:
        raise refusal(op, inputs, error, line or learner_line()) from None


def refusal(op: Operation, inputs: Sequence[Any], error: Exception, line: Line | None) -> Exception:
    """Return an error for the learner: the operation, its inputs, the reason, and the line."""
    described = " and ".join(numberless(x) or describe(x) for x in inputs)
    if any(map(numberless, inputs)):
        advice = "It takes numbers and arrays of numbers"
    else:
        advice = op.advice(*inputs) or str(error)
    message = f"{op.name} cannot take {described}. {advice.rstrip('.')}." + (f" At {line}" if line else "")
    # NumPy's own subclasses of these errors take other arguments than a message.
    kind = next(kind for kind in (ValueError, TypeError, IndexError) if isinstance(error, kind))
    return kind(message)
