"""The computational graph: the order of its nodes, and the passes forward and backward.

    x = Variable(3.0, name="x")
    f = x * x + sin(x)
    f.backward()
    x.grad                     # 2x + cos x at 3

`Graph(f)` keeps the record to run it again: put new numbers into the variables, call `forward()`, and every operation
writes into the array that it filled before. Nothing is allocated.

The reverse pass (`adjoint_nodes`) is built from nodes too. So it can be looked at, run again, and differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from minigrad.core import pickles  # noqa: F401 - how nodes are pickled
from minigrad.core.arrays import ArrayLike
from minigrad.core.block import BACKWARD, Block, backward_block, current
from minigrad.core.errors import kind_of, refusal, unmasked
from minigrad.core.fit import fit, to
from minigrad.core.lent import lent, settle
from minigrad.core.node import Constant, Node, Operator, Variable, is_view, latest_change
from minigrad.core.operand import Operand
from minigrad.core.rules import Rule


def topological_order(*outputs: Node) -> list[Node]:
    """Return every node that `outputs` depend on, each once, after its inputs, always in the same order.

    It keeps its own stack instead of recursing, so a chain of any length is fine.
    """
    order: list[Node] = []
    state: dict[int, str] = {}  # id of a node -> "open" while its inputs are being placed, then "placed"
    stack = list(reversed(outputs))
    while stack:
        node = stack[-1]
        if id(node) not in state:
            state[id(node)] = "open"
            for x in reversed(node.inputs):
                if state.get(id(x)) == "open":
                    name = x.op.name if x.op else x.name  # its value may have been postponed
                    raise ValueError(f"the graph has a cycle: {name} depends on itself. Nodes are never to be rewired")
                if id(x) not in state:
                    stack.append(x)
        else:
            stack.pop()
            if state[id(node)] == "open":
                state[id(node)] = "placed"
                order.append(node)
    return order


def adjoint_nodes(
    seeds: Mapping[Node, Node],
    inputs: Iterable[Node],
    copies: Mapping[Node, Node] | None = None,
    order: Sequence[Node] | None = None,
) -> dict[Node, Node]:
    """Reverse mode: the adjoint of each node between `inputs` and the outputs, as nodes.

    seeds: the adjoint of each output. Walks the nodes from the outputs back. Each passes its adjoint on to its inputs,
    times the partial derivative; where a node was used more than once, what comes back adds up. `copies`: the nodes to
    read values from, where they are not the nodes themselves but saved. `order`: a topological order of all that the
    outputs depend on, where it is known already.
    """
    order = topological_order(*seeds) if order is None else order
    demand_one_point(order)
    on_path = depending_on(inputs, order)
    adjoint: dict[Node, Any] = dict(seeds)
    before = current.get()
    blocks: dict[Block | None, Block] = {None: Block(BACKWARD, BACKWARD, outer=before)}
    try:
        for node in reversed(order):
            if node in adjoint and node.op is not None:
                current.set(blocks[None] if node.block is None else backward_block(node.block, blocks))
                for x, part in _contributions(node, adjoint[node], on_path, copies):
                    adjoint[x] = adjoint[x] + part if x in adjoint else part
    finally:
        current.set(before)
    result = {}
    for node, a in adjoint.items():
        if not isinstance(a, dict):  # the adjoints of several results, by number
            result[node] = a
            if isinstance(a, Node) and a.block is not None and a not in on_path:
                a.adjoint_of += (node,)
    return result


def _contributions(
    node: Node, adjoint: Node, on_path: set[Node], copies: Mapping[Node, Node] | None
) -> list[tuple[Node, Any]]:
    """Return a node's contribution to each of its inputs: adjoint times partial derivative, in the input's shape."""
    op, v, inputs = node.op, node, node.inputs
    needed = [i for i, x in enumerate(inputs) if x in on_path and x.dtype.kind == "f"]  # integers pass nothing on
    if not needed or op is None:
        return []
    if copies is not None:
        v, inputs = copies[node], tuple(copies[x] for x in inputs)
    parts = op.pullback(needed, adjoint, v, *inputs)
    result = []
    for i, part in zip(needed, parts, strict=True):
        x = node.inputs[i]
        fits = isinstance(part, Operand) and part.shape == x.shape and part.dtype == x.dtype
        if part is not None:
            result.append((x, part if fits or isinstance(part, dict) else fit(part, x)))
    return result


def depending_on(inputs: Iterable[Node], order: Sequence[Node]) -> set[Node]:
    """Return the inputs, and the nodes that depend on them."""
    dependent = set(inputs)
    for node in order:
        if not dependent.isdisjoint(node.inputs):
            dependent.add(node)
    return dependent


def demand_one_point(order: Sequence[Node]) -> None:
    """Raise RuntimeError if a leaf was changed after something was computed from it.

    Derivatives need values. Some would be from before the change and some from after it, and the result would belong to
    neither point. `order`: all nodes, each after its inputs.
    """
    if lent:
        settle(order)
    last = 0
    for node in order:
        if node.op is None:
            last = max(last, node.moment)
        elif node.moment < last:
            break
    else:
        return  # everything was computed after the last change of any leaf before it
    latest: dict[Node, Node] = {}  # of the leaves that a node depends on, the one that was changed last
    for node in order:
        if node.op is None or not node.inputs:
            latest[node] = node
            continue
        latest[node] = leaf = max((latest[x] for x in node.inputs), key=lambda leaf: leaf.moment)
        if leaf.moment > node.moment:
            at = f" (at {node.line})" if node.line else ""
            raise RuntimeError(
                f"{leaf!r} was changed after {node.op.name} had been computed with it{at}: derivatives would mix "
                "numbers from before and after the change. Compute the output again, by its expression or by "
                "forward() of its mg.Graph; or go backward before the change"
            )


def adjoints(output: Node, inputs: Sequence[Node], seed: ArrayLike | None = None) -> list[Node]:
    """Compute the derivatives of `output` with respect to `inputs`, as nodes, to display, draw and differentiate.

    output: a node; a scalar unless `seed` (an array or a node of its shape) weights its entries. Returns one node for
    each input, in its shape and dtype; a zero constant if the output does not depend on it.
    """
    inputs = list(inputs)
    for x in (output, *inputs):
        if not isinstance(x, Node):
            raise TypeError(f"adjoints needs nodes, to differentiate and to differentiate by, got {kind_of(x)}")
    adjoint_of = adjoint_nodes({output: seed_node(output, seed)}, inputs)
    return [adjoint_of[x] if x in adjoint_of else Constant(np.zeros(x.shape, x.dtype)) for x in inputs]


def tangents(outputs: Sequence[Node], inputs: Sequence[Node], directions: Sequence[Any]) -> list[Node]:
    """Apply forward mode to a graph: the derivative of each output when `inputs` move in `directions`, as nodes."""
    tangent: dict[Node, Node] = {
        x: d if isinstance(d, Node) else Constant(np.asarray(unmasked(d), x.dtype))
        for x, d in zip(inputs, directions, strict=True)
    }
    order = topological_order(*outputs)
    demand_one_point(order)
    for node in order:
        moving = {i: tangent[x] for i, x in enumerate(node.inputs) if x in tangent}
        if node.op is None or node in tangent or not moving:
            continue
        if node.op.part is None or node.dtype.kind == "f":  # of several results, a count and a condition do not move
            change = node.op.pushforward(moving, node, *node.inputs)
            if change is not None:
                tangent[node] = to(change, node.shape, node.dtype)
    return [tangent[y] if y in tangent else Constant(np.zeros(y.shape, y.dtype)) for y in outputs]


def seed_node(output: Node, seed: ArrayLike | None) -> Any:
    """Return the initial adjoint of `output`: a node of its shape or an example of one; 1 if `seed` is None."""
    if seed is None:
        if output.shape != ():
            raise ValueError(
                f"the derivative of {output!r} is not one number for each entry: its shape is {output.shape}. Take "
                "sum() or mean() first, or give a seed of that shape that says how its entries are weighted"
            )
        seed = 1.0
    if hasattr(seed, "mask"):
        unmasked(seed)
    node = seed if isinstance(seed, Operand) else Constant(np.array(seed, output.dtype), name="seed")
    if node.shape != output.shape:
        raise ValueError(f"the seed has the shape of the output, {output.shape}; got {node.shape}")
    return node


Program = list[tuple[Callable[..., Any], list[np.ndarray], np.ndarray, Node]]


def computed(nodes: Iterable[Node]) -> list[Node]:
    """Return the operators that a replay computes: neither views, which share an array, nor those without entries."""
    return [node for node in nodes if node.op is not None and node._value.size and not is_view(node)]


def program(nodes: Iterable[Node]) -> Program:
    """Return (function, inputs, output, node) for each of `computed(...)`, with all arrays allocated."""
    return [
        (op.ufunc if isinstance(op := node.op, Rule) else op.value, [x._value for x in node.inputs], node._value, node)  # type: ignore[union-attr]
        for node in nodes
    ]


def run(program: Program) -> None:
    """Recompute all values. An operation's error is the same as on the first run."""
    for function, inputs, out, node in program:
        try:
            result = function(*inputs, out=out)
        except (ValueError, TypeError, IndexError) as error:
            raise refusal(node.op, inputs, error, node.line) from None  # type: ignore[arg-type]
        if result is not out and result is not None and not np.may_share_memory(result, out):
            raise TypeError(
                f"{node.op.name}.value gave a new array and left `out` as it was. When a graph runs again, "  # type: ignore[union-attr]
                "`out` is all that anybody looks at: fill it, as in np.multiply(a, b, out=out)"
            )


class Graph:
    """The record behind one or more outputs, in topological order, to run again. The first output is differentiated.

    nodes: all nodes, inputs before what is made of them. variables: those that `backward` fills.
    """

    def __init__(self, output: Node, *others: Node):
        for node in (output, *others):
            if not isinstance(node, Node):
                raise TypeError(f"a Graph is built from a node, got {kind_of(node)}: {node!r}")
        self.output = output
        self.nodes = topological_order(output, *others)
        self.variables = [node for node in self.nodes if isinstance(node, Variable)]
        self._moment = -1  # the last change that all values are known to include
        self._seed: Node | None = None
        self._adjoint: dict[Node, Node] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Pickle or copy the record without its programs, whose arrays are those of this graph's nodes."""
        return {name: x for name, x in vars(self).items() if name not in ("_forward", "_backward")}

    # Made on the first replay, because most graphs are used once.

    @cached_property
    def _forward(self) -> Program:
        return program(computed(self.nodes))

    @cached_property
    def _backward(self) -> Program:
        known = set(self.nodes)
        return program(computed(node for node in topological_order(*self._adjoint.values()) if node not in known))

    def forward(self) -> np.ndarray | float:
        """Recompute every node in place from the current leaves. Returns the output's value."""
        if lent:
            settle(node for node in self.nodes if node.op is None)
        run(self._forward)
        if lent:
            settle(self.nodes, recomputed=True)
        self._moment = moment = latest_change()
        for node in self.nodes:
            if node.op is not None:
                node.moment = moment
        return self.output.value

    def zero_grad(self) -> None:
        """Set the gradient of every variable to 0."""
        for variable in self.variables:
            variable.zero_grad()

    def backward(self, seed: ArrayLike | None = None) -> None:
        """Add the derivative of the output to `.grad` of every variable, and leave it in `.adjoint` of every node.

        The output must be a scalar unless `seed`, of its shape, weights its entries. Called again it runs the same
        reverse program in the same arrays; two calls without zero_grad() add up. Raises RuntimeError if a leaf was
        changed since the values were computed.
        """
        if self._seed is None:
            self._build_backward(seed)
        else:
            if lent:
                settle(self.nodes)
            if self._moment != latest_change():
                demand_one_point(self.nodes)
                self._moment = latest_change()
            np.copyto(self._seed._value, seed_node(self.output, seed)._value)
            run(self._backward)
        for variable in self.variables:
            if variable in self._adjoint:
                variable.add_grad(self._adjoint[variable]._value)

    def _build_backward(self, seed: Any) -> None:
        if not self.variables:
            raise ValueError(f"{self.output!r} depends on no Variable, so there is nothing to differentiate by")
        first = seed_node(self.output, seed)
        first = Constant(first._value, name="seed") if first is seed else first  # later passes write to it
        self._adjoint = adjoint_nodes({self.output: first}, self.variables, order=self.nodes)
        self._seed = first
        for node, adjoint in self._adjoint.items():
            node._adjoint = adjoint._value

    def __repr__(self) -> str:
        operators = sum(isinstance(node, Operator) for node in self.nodes)
        return f"<Graph of {len(self.nodes)} nodes: {len(self.variables)} variables, {operators} operators>"
