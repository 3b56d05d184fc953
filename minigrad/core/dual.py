"""Forward mode: dual numbers, a + b ε with ε² = 0.

A dual number carries its derivative along: `value` is the number itself (the primal), `tangent` what rides with it.
Each operation moves both. By Taylor's theorem f(a + b ε) = f(a) + f'(a) b ε, exactly, because ε² and all that
follows is 0.

Every derivative has an ε of its own, told apart by a `tag`. So in

    derivative(lambda x: x * derivative(lambda y: x + y, 1.0), 1.0)        # 1, not 2

the inner derivative takes x for what it is to it, a constant. (Siskind and Pearlmutter, "Nesting forward-mode AD in a
functional framework", 2008, call the mistake perturbation confusion.)
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.core.arrays import Array, ArrayLike, Tree
from minigrad.core.errors import kind_of, numberless, unmasked
from minigrad.core.fit import dtype_of, shape_of, to
from minigrad.core.operand import Operand
from minigrad.core.operation import Operation, Traced, floats, owned, plain, total
from minigrad.core.tree import called, flatten, matching_leaves

tags = itertools.count(1)  # of derivatives, and of vmaps: a later one has a larger number


def _of_values(compare: Callable[[Any, Any], Any]) -> Any:
    """Compare dual numbers by their values."""
    return lambda self, other: compare(self._value, strip(other))


class Dual(Operand):
    """`Dual(value, tangent)`: a number or array of float32 or float64, and a tangent of the same shape.

    The tangent may have one axis more, in front: then entry k is the tangent in direction k, and one pass gives
    several partial derivatives. `Dual(3.0, [1.0, 0.0])` and `Dual(5.0, [0.0, 1.0])` ask for both of f(x, y).
    """

    __slots__ = ("_tangent", "_value", "tag")
    _tangent: Any
    tag: int

    def __init__(self, value: ArrayLike, tangent: ArrayLike = 0.0, tag: int = 0):
        self._value = value if isinstance(value, Traced) else floats(value, "a dual number", ".astype(np.float64)")[()]
        if not isinstance(tangent, Traced):  # of a derivative under way it is nobody else's; else a copy
            tangent = (np.asarray if tag else np.array)(unmasked(tangent), dtype_of(self._value))[()]
        self._tangent, self.tag = tangent, tag
        shape, actual = shape_of(self._value), shape_of(self._tangent)
        if actual not in (shape, actual[:1] + shape):
            if actual != ():
                raise ValueError(
                    f"the tangent of a value of shape {shape} has that shape, or one axis more in front; got {actual}"
                )
            self._tangent = to(self._tangent, shape, dtype_of(self._tangent))

    @property
    def value(self) -> Any:
        """The primal: a float, an array, or, inside a nested derivative, a traced value."""
        return plain(self._value)

    @property
    def tangent(self) -> Any:
        """The derivative in the requested direction."""
        return plain(self._tangent)

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Any:
        """Apply the rule of forward mode: the value from the primals, the tangent from op.jvp of each dual input."""
        is_dual = [isinstance(x, Dual) and x.tag == self.tag for x in inputs]
        primals = [x._value if own else x for x, own in zip(inputs, is_dual, strict=True)]
        value = op(*primals)
        tangent = total([_push(op, i, x._tangent, value, primals) for i, x in enumerate(inputs) if is_dual[i]])
        if tangent is None:
            return value  # nothing flows through a comparison: it is a constant
        lead = shape_of(tangent)[: max(0, len(shape_of(tangent)) - len(shape_of(value)))]  # the axis of directions
        return Dual(value, to(tangent, lead + shape_of(value), dtype_of(value)), self.tag)

    def with_value(self, value: ArrayLike) -> Dual:
        """Return another value with the same tangent."""
        return Dual(value, self._tangent, self.tag)

    def mapped(self, change: Callable[[Any], Any]) -> Dual:
        """Return the dual number of a changed value and tangent."""
        return Dual(change(self._value), change(self._tangent), self.tag)

    __gt__, __ge__, __lt__ = _of_values(operator.gt), _of_values(operator.ge), _of_values(operator.lt)
    __le__, __eq__, __ne__ = _of_values(operator.le), _of_values(operator.eq), _of_values(operator.ne)
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        if self.shape == () and shape_of(self._tangent) == () and not isinstance(self._value, Traced):
            sign = "-" if np.signbit(self._tangent) else "+"
            return f"{self.value} {sign} {plain(abs(self._tangent))}ε"
        return f"Dual(value={self.value!r}, tangent={self.tangent!r})"


def strip(x: ArrayLike) -> Any:
    """Return the innermost primal of a dual number, and anything else unchanged."""
    while isinstance(x, Dual):
        x = x._value
    return x


def _push(op: Operation, i: int, tangent: Array, value: Array, primals: Sequence[Any]) -> Any:
    """Compute the contribution of input i's tangent to the value's tangent, for one direction or several."""
    if len(shape_of(tangent)) == len(shape_of(primals[i])):
        return op.jvp(i, tangent, value, *primals)
    if op.elementwise:  # the leading axis broadcasts by itself, once the others are lined up behind it
        directions, *rest = shape_of(tangent)
        new = (1,) * (len(shape_of(value)) - len(rest))
        return op.jvp(i, np.reshape(tangent, (directions, *new, *rest)), value, *primals)
    columns: list[Any] = [op.jvp(i, tangent[k], value, *primals) for k in range(shape_of(tangent)[0])]
    return None if columns[0] is None else np.stack(columns)


def jvp(f: Callable[..., Any], primals: Tree, tangents: Tree) -> tuple[Any, Any]:
    """Compute the value of f at `primals` and its derivative in the direction `tangents`, in one pass: (value,
    tangent).

    primals: the arguments of f as a tuple (or a single one, not a tuple); each may be a float, an array, or tuples,
    lists and dicts of them. tangents: the same structure and shapes. The tangent is Jacobian @ direction, with the
    structure of the value; float32 stays float32. One pass costs a small constant times f, whatever the number of
    outputs.
    """
    if not isinstance(primals, tuple):
        primals, tangents = (primals,), (tangents,)
    values, build = flatten(primals)
    directions = matching_leaves(tangents, primals, "jvp needs one tangent for each primal")
    tag = next(tags)
    arguments = build([Dual(x, t, tag) for x, t in zip(values, directions, strict=True)])
    outputs, rebuild = flatten(called("jvp", f, arguments))
    pairs = [split(y, tag) for y in outputs]
    return rebuild([owned(y) for y, _ in pairs]), rebuild([owned(t) for _, t in pairs])


def split(y: ArrayLike, tag: int) -> tuple[Any, Any]:
    """Return (value, tangent) of an output for the derivative called `tag`; a tangent that it lacks is 0."""
    if isinstance(y, Dual) and y.tag == tag:
        return y._value, y._tangent
    return y, np.zeros(shape_of(y), dtype_of(y) if dtype_of(y).kind == "f" else np.float64)


def derivative(f: Callable[[Any], Any], x: ArrayLike) -> Any:
    """Compute f'(x) for a function of one number, by one pass on dual numbers.

    With an array x and an elementwise f: the derivative at each entry. f may return tuples, lists or dicts.
    """
    if nothing := numberless(x) or (kind_of(x) if isinstance(x, tuple | list | dict) else ""):
        raise TypeError(f"derivative takes a number or an array of numbers, got {nothing}. np.array makes one")
    return jvp(f, (x,), (np.ones(shape_of(x), dtype_of(x) if isinstance(x, np.ndarray) else None),))[1]
