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
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Lowering, Node, Operand, Value
from minigrad.core.errors import Line, learner_line, numberless, refusal, unmasked


class Traced:
    """A value that records or transforms operations: a `Dual`, an `Example` of many (vmap.py), or a graph `Node`.

    If an operation has traced inputs, the one with the largest `tag` handles the operation. Derivatives and vmaps are
    numbered as they begin, so inner ones come above outer ones, and graph nodes below them all.
    """

    __slots__ = ()
    tag = -1  # of the derivative or the vmap that a dual number or an example belongs to; a node belongs to none

    def lift(self, op: Operation, inputs: Sequence[ArrayLike]) -> Array:
        """Apply `op` to `inputs`, of which at least one is traced with this tag."""
        raise TypeError(f"{type(self).__name__} does not say how operations apply to it: define lift()")


class Operation:
    """Base of all operations: a row of the derivative table (`rules.py`) or a small class in `ops/`."""

    name = "operation"
    symbol: str | None = None  # a shorter name for pictures, such as "+"
    elementwise = False  # out[k] depends on the inputs at k alone (after broadcasting)
    part: int | None = None  # the index of this result among several of its input (see scan.py)
    rng: np.random.Generator | None = None  # that it draws from at each run of a graph; None: it is deterministic

    def __call__(self, *inputs: ArrayLike) -> Array:
        owner = None
        for x in inputs:
            if isinstance(x, Traced):
                owner = x if owner is None or x.tag > owner.tag else owner
            elif hasattr(x, "mask"):
                unmasked(x)
        return evaluate(self, inputs) if owner is None else owner.lift(self, inputs)

    def value(self, *inputs: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Compute the value for NumPy inputs: a new array, or `out` filled without allocating another one."""
        raise TypeError(f"{self.name} has no value(self, *inputs, out=None): what does it compute?")

    def blank(self, *inputs: np.ndarray) -> np.ndarray:
        """Return an array like the value, whatever is in it, for graphs whose values nobody may ask for.

        This default computes the value. Define it where that would compile a kernel or take long.
        """
        return self.value(*inputs)

    def jvp(self, i: int, tangent: ArrayLike, v: ArrayLike, *inputs: ArrayLike) -> Array | None:
        """Return the contribution of input i's `tangent` to the value's tangent.

        This default is right for operations that are linear in each input, such as sum or matmul: it puts the tangent
        in the input's place.
        """
        return self(*inputs[:i], tangent, *inputs[i + 1 :])

    def vjp(self, i: int, adjoint: ArrayLike, v: ArrayLike, *inputs: ArrayLike) -> Array | None:
        """Return the contribution of the value's `adjoint` to the adjoint of input i; None if it has none."""
        raise TypeError(f"{self.name} has no vjp(self, i, adjoint, v, *inputs): how does an adjoint go back?")

    def lower(self, to: Lowering, node: Node, *inputs: Value) -> Value:
        """Lower `node`, an application of this operation, to a compiled program, from the lowered inputs.

        This default calls `kernel`: a function (*inputs, out) that numba can compile and that fills `out`. An operation
        that the program can express better, with views, products, sums and the compiler's kernels, calls the methods of
        `to`, the compiler's `Linearizer`.
        """
        return to.kernel_of(node, inputs)

    def pullback(
        self, needed: Sequence[int], adjoint: ArrayLike, v: ArrayLike, *inputs: ArrayLike
    ) -> list[Array | None]:
        """Return `vjp` for the inputs `needed`, for operations that compute them together."""
        return [self.vjp(i, adjoint, v, *inputs) for i in needed]

    def pushforward(self, tangents: Mapping[int, ArrayLike], v: ArrayLike, *inputs: ArrayLike) -> Array | None:
        """Return the value's tangent from those of some inputs; None if it is zero."""
        return total([self.jvp(i, tangent, v, *inputs) for i, tangent in tangents.items()])

    def text(self, *names: str) -> str:
        """The operation as Python text on inputs called `names`, for tables, pictures and errors."""
        return f"{self.name}({', '.join(names)})"

    def advice(self, *inputs: ArrayLike) -> str:
        """Suggest a remedy when `value` refused `inputs`: a sentence for the error message, or ""."""
        return ""

    def limits(self, i: int, *inputs: ArrayLike) -> tuple[int, int] | None:
        """Return the least and the largest integer that input i may hold, if `value` looks something up by it; else
        None.

        The inputs of a compiled program, which checks nothing itself, are checked beforehand.
        """
        return None

    def outside(self, i: int, number: int, row: int, *inputs: ArrayLike) -> Exception:
        """Return the error of `value` for a number in row `row` of input i that exceeds its `limits`."""
        low, high = self.limits(i, *inputs) or (number, number)
        return IndexError(f"{number} in row {row} is out of range. There the integers go from {low} to {high}")

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def method(op: Callable[..., Any]) -> Any:
    """Make `op` a method; as an operator, with this value on the left."""

    def call(self: Operand, *args: ArrayLike, **options: object) -> Array:
        return op(self, *args, **options)

    call.__doc__ = None if isinstance(op, Operation) else op.__doc__  # that of a row is computed
    return call


def reflected(op: Callable[..., Any]) -> Any:
    """Make `op` the method of an operator with this value on the right."""
    return lambda self, other: op(other, self)


def total(contributions: Sequence[Array | None]) -> Array | None:
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


def evaluate(op: Operation, inputs: Sequence[Any], line: Line | None = None) -> Any:
    """Evaluate `op.value(*inputs)`; if NumPy refuses, the error names operation, inputs and the learner's line."""
    try:
        return op.value(*inputs)
    except (ValueError, TypeError, IndexError) as error:
        raise refusal(op, inputs, error, line or learner_line()) from None


def owned(value: Any) -> Any:
    """Return a number as a Python float, an array as a copy that nothing else reads or writes."""
    return plain(np.array(value) if isinstance(value, np.ndarray) else value)


def numbers(value: ArrayLike, who: object, make: Callable[..., np.ndarray] = np.array) -> np.ndarray:
    """Return `value` as an array in native byte order. `who`, such as "a Constant", begins the error for others."""
    if hasattr(value, "mask"):
        unmasked(value)
    try:
        array = make(value, order="C")  # compiled programs rely on it
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise ValueError(f"{who} is one array of numbers, got rows of unequal lengths") from None
    if array.dtype.kind not in "fiub":
        what = numberless(value) or f"{array.dtype} of shape {array.shape}"
        raise TypeError(f"{who} is an array of real numbers, and cannot take {what}")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def floats(value: ArrayLike, who: str, advice: str) -> np.ndarray:
    """Return `value` as an array of float32 or float64: Python's integers are converted, those of arrays refused."""
    array = numbers(value, who)
    if array.dtype.kind in "iub" and not isinstance(value, np.ndarray):
        array = array.astype(np.float64)
    if array.dtype not in (np.float32, np.float64):
        raise TypeError(
            f"{who} is float32 or float64, because it is differentiated; got {array.dtype} of shape {array.shape}. "
            f"Try {advice}"
        )
    return array
