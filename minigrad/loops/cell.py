"""A step of a loop, recorded once as a small graph: its inputs, its results, and the values it uses from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.core.arrays import ArrayLike, Tree
from minigrad.core.dual import Dual
from minigrad.core.errors import kind_of
from minigrad.core.graph import depending_on, topological_order
from minigrad.core.node import Constant, Node, Operator, Variable, is_view, new_moment
from minigrad.core.rules import identity, not_equal
from minigrad.core.tree import flatten, matching_leaves
from minigrad.ops.shape import array_like, dtype_of, shape_of

Build = Callable[[list[Any]], Any]  # makes a tree of its leaves


@dataclass
class Body:
    """One step as a graph: its inputs (leaves to be filled) and its results.

    carry: passed from step to step. x: one slice for each step. free: the same at every step, such as weights.
    """

    carry_in: list[Node]
    x_in: list[Node]
    free_in: list[Node]
    carry_out: list[Node]
    y_out: list[Node]

    def __post_init__(self) -> None:
        # The next carry must not lie in an array that is still read after the last one is overwritten.
        self.carry_out = [x if x.op is not None and not is_view(x) else _copied(x) for x in self.carry_out]

    @property
    def inputs(self) -> list[Node]:
        return [*self.carry_in, *self.x_in, *self.free_in]

    @property
    def outputs(self) -> list[Node]:
        return [*self.carry_out, *self.y_out]


class Recorded:
    """A cell recorded once: its body, and the values from outside that it uses."""

    def __init__(
        self,
        cell: Callable[[Any, Any], Any],
        state: list[Any],
        build_state: Build,
        xs: list[Any],
        build_x: Build,
    ):
        self.state = state = [array_like(x) for x in state]
        self.carry, self.state_shapes = _take_apart(state)
        self.xs, x_shapes = _take_apart(xs)
        carry_in = [leaf_like(x) for x in self.carry]
        x_in = [leaf_like(np.empty(shape_of(x)[1:], dtype_of(x))) for x in self.xs]
        begun = new_moment()
        result = cell(build_state(rejoin(self.state_shapes, carry_in)), build_x(rejoin(x_shapes, x_in)))
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError(f"the cell of a scan returns a pair (state, y), got {kind_of(result)}")
        self.new_state = matching_leaves(
            result[0], build_state(state), "the cell of a scan returns a state like the one it got"
        )
        for k, (old, new) in enumerate(zip(state, self.new_state, strict=True)):
            if shape_of(old) != shape_of(new) or dtype_of(old) != dtype_of(new):
                raise ValueError(
                    f"the cell of a scan keeps the state's shape and dtype: part {k} was {dtype_of(old)} of shape "
                    f"{shape_of(old)} and became {dtype_of(new)} of shape {shape_of(new)}"
                )
        ys, self.build_y = flatten(result[1])
        self.wanted = [_union(a, _shape(x)) for a, x in zip(self.state_shapes, self.new_state, strict=True)]
        if self.wanted == self.state_shapes:  # else the cell adds tangents to the state, which has to begin with them
            carry_out, _ = _take_apart([lift(x, shape) for x, shape in zip(self.new_state, self.wanted, strict=True)])
            y_out, self.y_shapes = _take_apart(ys)
            self.body, self.free = _close(
                carry_in, x_in, [_node(x) for x in carry_out], [_node(y) for y in y_out], begun
            )


def _close(
    carry_in: list[Node], x_in: list[Node], carry_out: list[Node], y_out: list[Node], begun: int
) -> tuple[Body, list[Node]]:
    """Return a body that reads only its inputs, and the nodes from outside for its free inputs.

    Everything independent of the step leaves the loop here: a transposed weight is transposed once. Constants made by
    the cell itself, since the moment `begun`, stay in it; a derivative may be taken by others.
    """
    order = topological_order(*carry_out, *y_out)
    inside = depending_on([*carry_in, *x_in], order)
    used = [x for node in order if node in inside for x in node.inputs] + carry_out + y_out
    free = list(dict.fromkeys(x for x in used if x not in inside and not _is_own(x, begun)))
    copy: dict[Node, Node] = {node: node for node in [*carry_in, *x_in]}
    copy |= {node: _copy(node) for node in free}
    for node in order:
        if node in inside and node not in copy and node.op is not None:
            copy[node] = Operator(node.op, [copy.get(x, x) for x in node.inputs], node.name)
            copy[node].block = node.block
    carry_out, y_out = ([copy.get(node, node) for node in nodes] for nodes in (carry_out, y_out))
    return Body(carry_in, x_in, [copy[node] for node in free], carry_out, y_out), free


def _is_own(node: Node, begun: int) -> bool:
    """Tell whether a node is a part of the cell: a number that it made."""
    return isinstance(node, Constant) and node.moment >= begun


def leaf_like(x: ArrayLike, name: str | None = None) -> Node:
    """Make a leaf in the cell for a value like x."""
    zeros = np.zeros(shape_of(x), dtype_of(x))
    return Variable(zeros, name) if zeros.dtype.kind == "f" else Constant(zeros, name)


def _copied(node: Node) -> Node:
    """The same numbers, or conditions, computed into an array of their own."""
    return identity(node) if node.dtype != bool else not_equal(node, False)


def _copy(node: Node) -> Node:
    """Make a leaf with the same contents as a node."""
    leaf = leaf_like(node, node.name)
    np.copyto(leaf._value, node._value)
    return leaf


def _node(x: ArrayLike) -> Node:
    return x if isinstance(x, Node) else Constant(x)


# Dual numbers as pairs. The shape of a dual is None for a plain value, or (tag, shape of value, shape of tangent).


def _take_apart(values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    leaves: list[Any] = []

    def visit(x: Tree) -> None:
        if isinstance(x, Dual):
            if shape_of(x._tangent) != shape_of(x._value):
                raise ValueError("a scan takes dual numbers with one direction; make a pass for each direction")
            visit(x._value)
            visit(x._tangent)
        else:
            leaves.append(array_like(x))

    for x in values:
        visit(x)
    return leaves, [_shape(x) for x in values]


def _shape(x: Any) -> Any:
    return (x.tag, _shape(x._value), _shape(x._tangent)) if isinstance(x, Dual) else None


def _union(a: Any, b: Any) -> Any:
    """The shape that has the tangents of both. The derivative that began last is the outermost pair."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        return a[0], _union(a[1], b[1]), _union(a[2], b[2])
    high, low = (a, b) if a[0] > b[0] else (b, a)
    return high[0], _union(high[1], low), high[2]


def lift(x: Any, shape: Any) -> Any:
    """The same number in that shape: tangents that it lacks are 0."""
    if shape is None:
        return x
    tag, of_value, of_tangent = shape
    if isinstance(x, Dual) and x.tag == tag:
        return Dual(lift(x._value, of_value), lift(x._tangent, of_tangent), tag)
    return Dual(lift(x, of_value), lift(np.zeros(shape_of(x), dtype_of(x)), of_tangent), tag)


def rejoin(shapes: list[Any], leaves: Sequence[Any]) -> list[Any]:
    rest = iter(leaves)

    def build(shape: Any) -> Any:
        return next(rest) if shape is None else Dual(build(shape[1]), build(shape[2]), shape[0])

    return [build(shape) for shape in shapes]
