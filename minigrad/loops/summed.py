"""Sums over the steps of a loop, made behind it from whole stacks: one large product in the place of many small ones.

    sum over t of A[t].T @ B[t]   is   A_all.T @ B_all,  the rows of all steps below each other
    sum over t and rows of B[t]   is   the sum over the rows of B_all

So the adjoint of a weight that every step uses needs no array to collect it from step to step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from minigrad.core import rules
from minigrad.core.arrays import Array
from minigrad.core.node import Node
from minigrad.ops.matmul import Matmul
from minigrad.ops.reduce import Sum
from minigrad.ops.shape import Reshape, Transpose, reshape, shape_of, swapaxes, transpose

Stacks = Mapping[Node, Any]  # the values of a node at all steps: (steps, ...)
Make = Callable[[Stacks], Any]


class Summed:
    """Finds which nodes of a step can be summed behind the loop.

    stacked: the nodes whose values at all steps are there. more: whether further ones may be stacked; they are `new`.
    """

    def __init__(self, stacked: Iterable[Node], more: bool):
        self.stacked, self.more = set(stacked), more
        self.new: list[Node] = []

    def total(self, node: Node | None) -> Make | None:
        """Return what makes the sum of a node's values over all steps from stacks, or None."""
        count = len(self.new)
        make = self._total(node) if node is not None else None
        if make is None:  # what was to be stacked for it is not needed
            self.stacked.difference_update(self.new[count:])
            del self.new[count:]
        return make

    def _total(self, node: Node) -> Make | None:
        op = node.op
        if op is rules.add and all(x.shape == node.shape and x.dtype == node.dtype for x in node.inputs):
            terms = [make for x in node.inputs if (make := self._total(x))]
            return (lambda stacks: rules.add(*(make(stacks) for make in terms))) if len(terms) == 2 else None
        if isinstance(op, Reshape | Transpose):
            of = self._total(node.inputs[0])
            return of and (lambda stacks: op(of(stacks)))
        if isinstance(op, Sum):
            x = self._stack(node.inputs[0])
            rows = (-1, *node.inputs[0].shape[1:])  # of all steps
            if op.axes != (0,):
                return None
            return x and (lambda stacks: reshape(reshape(x(stacks), rows).sum(0), node.shape))
        if isinstance(op, Matmul) and all(len(x.shape) == 2 for x in node.inputs):
            left, right = node.inputs
            swapped = isinstance(left.op, Transpose)
            a, b = self._stack(left.inputs[0] if swapped else left), self._stack(right)
            return a and b and (lambda stacks: _rows(a(stacks), swapped).T @ _rows(b(stacks), True))
        return None

    def _stack(self, node: Node) -> Make | None:
        """Return what makes the stack of a node's values, or None."""
        if node not in self.stacked:
            op = node.op
            if isinstance(op, Transpose):
                of = self._stack(node.inputs[0])
                return of and (lambda stacks: transpose(of(stacks), (0, *(k + 1 for k in op.axes))))
            if not self.more or op is None:
                return None
            self.stacked.add(node)
            self.new.append(node)
        return lambda stacks: stacks[node]


def _rows(stack: Array, in_rows: bool) -> Array:
    """Put a stack's matrices below each other; `in_rows`, or transposed."""
    stack = stack if in_rows else swapaxes(stack, 1, 2)
    steps, rows, columns = shape_of(stack)
    return reshape(stack, (steps * rows, columns))
