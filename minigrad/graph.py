"""The computational graph: nodes, their order, and the passes forward and backward.

A `Constant` holds data, a `Variable` holds what is learned, an `Operator` holds the result of an operation on other
nodes. Writing an expression evaluates it at once and records it: `f.value` is there to look at, and `f` remembers what
it was computed from.

    x = Variable(3.0, name="x")
    f = x * x + sin(x)
    f.backward()
    x.grad                     # 2x + cos x at 3

`Graph(f)` keeps the record to run it again: put new numbers into the variables, call `forward()`, and every operation
writes into the array that it filled before. Nothing is allocated.

The reverse pass is built from nodes too (`adjoints`). So it can be looked at, run again, and differentiated.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cached_property
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.block import Block, backward_blocks, current
from minigrad.operand import Operand
from minigrad.operation import HOUSES, Line, Operation, evaluate, kind_of, learner_line, plain, refusal
from minigrad.ops.shape import broadcast_to, cast, fit
from minigrad.rules import Rule, equal


def _asked_by_learner() -> bool:
    return not sys._getframe(2).f_code.co_filename.startswith(HOUSES)


# Who decides an `if` on a node by the value it has now, such as `trace`; nobody most of the time.
on_decision: ContextVar[Callable[[Node], bool] | None] = ContextVar("on_decision", default=None)

_changes = 0  # how often a leaf was changed, in the whole process: what "before" and "after" mean for values


class Node(Operand):
    """What all nodes share: a value in an array of their own, a shape, a dtype (float32 or float64), a name.

    line, block: where in the program it was made. adjoint_of: the nodes whose adjoint it is, if it is one.
    moment: how many changes of leaves there had been when the value was computed, or put there.
    """

    __slots__ = ("__weakref__", "_adjoint", "_value", "adjoint_of", "block", "line", "moment", "name")
    op: Operation | None = None
    inputs: tuple[Node, ...] = ()
    line: Line | None
    block: Block | None
    adjoint_of: tuple[Node, ...]
    moment: int
    _value: np.ndarray
    _adjoint: np.ndarray | None

    def __init__(self, value: np.ndarray, name: str | None, line: Line | None):
        self._value, self.name, self.line, self._adjoint = value, name, line, None
        self.block, self.adjoint_of, self.moment = current.get(), (), _changes

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Unpickled or copied: everything as it was, but for the moment, which counts in this process."""
        for slot, content in state[1].items():
            setattr(self, slot, content)
        self.moment = _changes

    @property
    def value(self) -> Any:
        """The number (a float) or the array that the node holds. Assigning copies into that array."""
        return plain(self._value)

    @property
    def adjoint(self) -> Any:
        """The derivative of the output with respect to this node, from the last backward pass; None before one."""
        return plain(self._adjoint) if self._adjoint is not None else None

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return self._value.shape

    @property
    def dtype(self) -> np.dtype:  # type: ignore[override]
        return self._value.dtype

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Operator:
        return Operator(op, inputs)

    def backward(self, seed: Any = None) -> None:
        """Add the derivative of this node to `.grad` of every variable it depends on. See `Graph.backward`."""
        Graph(self).backward(seed)

    def __eq__(self, other: object) -> Any:
        if on_decision.get() is not None and isinstance(other, Node | int | float) and _asked_by_learner():
            return equal(self, other)  # in a trace, `if x == y` asks about the values
        if isinstance(other, int | float | np.ndarray | np.generic):
            raise TypeError(
                "== between nodes asks whether they are one and the same node, and so cannot compare with numbers. "
                "Use mg.equal(a, b) for a node that compares entries, or compare .value"
            )
        return self is other

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        if (decide := on_decision.get()) is not None:
            return decide(self)
        raise TypeError(
            "an `if` or `while` on a graph node is decided once, when the graph is built, and would be wrong when it "
            "runs again with other numbers. Use mg.where(condition, a, b), or .value to decide once on purpose. "
            "Python's max, min, `and`, `or` and a < x < b decide like an `if`; mg.maximum and mg.minimum work on nodes"
        )

    def __repr__(self) -> str:
        name = f"{self.name} = " if self.name else ""
        if self.shape == ():
            return f"<{name}{type(self).__name__} {self.value}>"
        return f"<{name}{type(self).__name__} of shape {self.shape}, {self.dtype}>"


class Leaf(Node):
    """A node that is computed from nothing: its value is put there."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        return plain(self._value)

    @value.setter
    def value(self, new: Any) -> None:
        array = _in_one_piece(np.asarray, new)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"{self!r} takes numbers of {self.dtype}, and cannot take {_short(new, array)}")
        if array.shape != self.shape:
            raise ValueError(
                f"{self!r} keeps its shape {self.shape}: graphs that use it were built for it; got {array.shape}. "
                "Build a new graph for another shape"
            )
        takes = {"f": "fiub", "b": "b"}.get(self.dtype.kind, "iub")
        if array.dtype.kind not in takes:
            advice = ". Labels and row numbers are integers: try .astype(int)" if array.dtype.kind == "f" else ""
            raise TypeError(f"{self!r} holds {self.dtype}, and cannot take {_short(new, array)}{advice}")
        if self.dtype.kind in "iu" and array.size and not np.can_cast(array.dtype, self.dtype):
            kind = np.iinfo(self.dtype)
            low, high = int(array.min()), int(array.max())
            if low < kind.min or high > kind.max:
                raise ValueError(
                    f"{self!r} holds {self.dtype}, which goes from {kind.min} to {kind.max}, and cannot take "
                    f"{low if low < kind.min else high}. Build the graph with {array.dtype} for such numbers"
                )
        np.copyto(self._value, array, casting="unsafe")
        self.changed()

    def changed(self) -> None:
        """To be called by whoever wrote into the array: what was computed before is of another point from now on."""
        global _changes
        _changes += 1
        self.moment = _changes


def _in_one_piece(make: Callable[..., np.ndarray], value: Any, **options: Any) -> np.ndarray:
    """An array made of `value`, or ValueError in a sentence where it is a list of unequal lists."""
    try:
        return make(value, **options)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise ValueError("a node holds one array of numbers, got rows of unequal lengths") from None


def _short(value: Any, array: np.ndarray) -> str:
    """What somebody gave instead of numbers: a single thing as it is, of many the shape."""
    return f"{array.dtype} of shape {array.shape}" if array.ndim else f"{array.dtype}: {value!r}"


class Constant(Leaf):
    """Data: nothing flows back into it. Any dtype; a Python number takes the dtype of what it meets."""

    __slots__ = ("weak",)

    def __init__(self, value: Any, name: str | None = None):
        self.weak = type(value) in (int, float)
        array = np.array(value, dtype=np.float64) if self.weak else _in_one_piece(np.array, value, order="C")
        if array.dtype.kind not in "fiub":
            raise TypeError(f"a Constant holds numbers, got {_short(value, array)}")
        super().__init__(array, name, learner_line())


class Variable(Leaf):
    """What derivatives are taken of. `grad` adds up over backward passes until `zero_grad()`.

    value: a number, a list or an array; float32 stays float32, everything from Python becomes float64.
    The value is copied. `name` is what tables and pictures call it.
    """

    __slots__ = ("_grad", "_seen", "_state")

    def __init__(self, value: Any, name: str | None = None):
        if isinstance(value, Node):
            raise TypeError("a Variable starts a graph, and cannot be made from a node. Use the node itself, or .value")
        array = _in_one_piece(np.array, value, order="C")  # compiled programs rely on it
        if array.dtype.kind in "iub" and not isinstance(value, np.ndarray | np.generic):
            array = array.astype(np.float64)
        if array.dtype not in (np.float32, np.float64):
            raise TypeError(
                f"a Variable is float32 or float64, because it is differentiated; got {array.dtype} of shape "
                f"{array.shape}. Try .astype(np.float32), or mg.Constant for integers such as labels"
            )
        super().__init__(array, name, learner_line())
        self._grad: np.ndarray | None = None
        self._seen = False  # whether somebody outside may hold the array `_grad`
        self._state = "zero"  # of the gradient: "zero", "added" to by backward passes, "used" by an optimizer's step

    @property
    def grad(self) -> Any:
        """The sum of the derivatives of all backward passes since zero_grad(), in the variable's shape and dtype.

        An array goes on adding up while it is looked at; zero_grad() leaves it alone and starts another one.
        """
        self._seen = True
        return plain(self.grad_array())

    @grad.setter
    def grad(self, value: Any) -> None:
        """Start the sum again, at this value; at 0 for None, as PyTorch has it."""
        new = np.broadcast_to(
            np.asarray(0.0 if value is None else value, dtype=self._value.dtype), self._value.shape
        ).copy()
        self.zero_grad()
        np.copyto(self.grad_array(), new)

    def grad_array(self) -> np.ndarray:
        """The array behind `grad`, for optimizers: also a scalar's is an array that can be written to."""
        if self._grad is None:
            self._grad = np.zeros_like(self._value)
        return self._grad

    def add_grad(self, adjoint: np.ndarray) -> None:
        """Add the outcome of a backward pass to the sum."""
        if self._state == "used":
            _warn_of_used_gradient()
        self._state = "added"
        grad = self.grad_array()
        np.add(grad, adjoint, out=grad)

    def used_grad(self) -> None:
        """To be called by an optimizer's step: to add to the gradient from now on is a mistake."""
        if self._state == "added":
            self._state = "used"

    def zero_grad(self) -> None:
        """Start the sum again at 0: in place, unless somebody was given the array."""
        self._state = "zero"
        if self._seen:
            self._grad, self._seen = None, False
        elif self._grad is not None:
            self._grad.fill(0)


_warned: dict[Any, Any] = {}


def _warn_of_used_gradient() -> None:
    line = learner_line()
    warnings.warn_explicit(
        "backward() adds to gradients that an optimizer's step has used already, so the next step moves by old and "
        "new ones together. Call zero_grad() after each step; to add up on purpose, do it before one step",
        RuntimeWarning,
        line.file if line else "",
        line.number if line else 0,
        registry=_warned,
    )


# Who wants to see every new operator, such as `detect_anomaly`; nobody most of the time.
on_new_operator: ContextVar[Callable[[Node], None] | None] = ContextVar("on_new_operator", default=None)


class Operator(Node):
    """The result of an operation on other nodes. Made by writing expressions, seldom by hand."""

    __slots__ = ("inputs", "op")

    def __init__(self, op: Operation, inputs: Sequence[Any], name: str | None = None):
        line = learner_line()
        self.op = op
        self.inputs = _nodes(op, inputs)
        value = evaluate(op, [node._value for node in self.inputs], line)
        super().__init__(np.asarray(value), name, line)
        if (look := on_new_operator.get()) is not None:
            look(self)

    @property
    def grad(self) -> Any:
        raise AttributeError(
            "only a Variable adds up a .grad. The derivative with respect to this Operator is its .adjoint"
        )


def _nodes(op: Operation, inputs: Sequence[Any]) -> tuple[Node, ...]:
    """The inputs as nodes; a plain number gets the dtype of what it meets."""
    nodes = [x if isinstance(x, Node) else Constant(x) for x in inputs]
    weak = [isinstance(node, Constant) and node.weak for node in nodes]
    strong = {node.dtype for node, is_weak in zip(nodes, weak, strict=True) if not is_weak}
    if strong and any(weak):
        if all(dtype.kind == "f" for dtype in strong):
            wanted = [dtypes.together(list(strong)) if len(strong) > 1 else next(iter(strong))] * len(nodes)
        else:
            wanted = _as_numpy_would(op, nodes, inputs, weak)
        for k, node in enumerate(nodes):
            if weak[k] and node.dtype != wanted[k]:
                nodes[k] = _weak_as(node, wanted[k], inputs[k])
    if any(dtype.itemsize == 1 for dtype in strong) and isinstance(op, Rule):  # NumPy would choose half precision
        loop, _ = op.dtypes(*(node.dtype for node in nodes))
        if all(dtype == dtypes.SINGLE for dtype in loop):
            nodes = [cast(node, dtypes.SINGLE) for node in nodes]
    return tuple(nodes)


def _as_numpy_would(op: Operation, nodes: list[Node], inputs: Sequence[Any], weak: list[bool]) -> list[np.dtype]:
    """The dtype of each input where a Python number meets integers: 2 * x stays one of integers, 2.5 * x does not."""
    kinds: list[dtypes.Kind] = [
        node.dtype if not is_weak else float if isinstance(x, Node) else type(x)
        for node, x, is_weak in zip(nodes, inputs, weak, strict=True)
    ]
    if isinstance(op, Rule) and len(kinds) == len(op.inputs):
        return list(op.dtypes(*kinds)[0])
    return [dtypes.together(kinds)] * len(nodes)


def _weak_as(node: Node, dtype: np.dtype, given: Any) -> Node:
    if isinstance(given, Node):  # it may get another value later, so it has to stay in the graph
        return cast(node, dtype) if dtype.kind == "f" else node
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= given <= np.iinfo(dtype).max:
        raise OverflowError(f"the number {given} does not fit into {dtype}, which it meets. Try .astype(int) there")
    return Constant(node._value.astype(dtype), node.name)


def topological_order(*outputs: Node) -> list[Node]:
    """Every node that `outputs` depend on, each once, each after its inputs. The order is always the same.

    It keeps its own stack instead of calling itself, so a chain of 100,000 nodes is no trouble.
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
                    raise ValueError(f"the graph has a cycle: {x!r} depends on itself. Nodes are never to be rewired")
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
    stand_in: Callable[[Node], Node] = lambda node: node,
    order: Sequence[Node] | None = None,
) -> dict[Node, Node]:
    """Reverse mode: the adjoint of each node between `inputs` and the outputs, as nodes.

    seeds: the adjoint of each output. Walks the nodes from the outputs back. Each passes its adjoint on to its inputs,
    times the partial derivative; where a node was used more than once, what comes back adds up. `stand_in` gives the
    node to read a value from, where it is not the node itself but a saved copy. `order`: a topological order of all
    that the outputs depend on, where it is known already.
    """
    order = topological_order(*seeds) if order is None else order
    demand_one_point(order)
    on_path = set(inputs)
    for node in order:
        if any(x in on_path for x in node.inputs):
            on_path.add(node)
    adjoint: dict[Node, Any] = {node: seed for node, seed in seeds.items() if node in on_path}
    block_of = backward_blocks()
    token = current.set(None)
    try:
        for node in reversed(order):
            if node not in adjoint or node.op is None:
                continue
            if node.op.part is not None:  # one of several results: they are pulled back together
                _accumulate(adjoint.setdefault(node.inputs[0], {}), node.op.part, adjoint[node])
                continue
            current.set(block_of(node.block))
            needed = [i for i, x in enumerate(node.inputs) if x in on_path]
            values = [stand_in(node), *map(stand_in, node.inputs)]
            for i, contribution in zip(needed, node.op.pullback(needed, adjoint[node], *values), strict=True):
                if contribution is not None:
                    _accumulate(adjoint, node.inputs[i], fit(contribution, node.inputs[i]))
    finally:
        current.reset(token)
    found = {node: a for node, a in adjoint.items() if isinstance(a, Node)}
    for node, a in found.items():
        if a.block is not None and a not in on_path:
            a.adjoint_of += (node,)
    return found


def demand_one_point(order: Sequence[Node]) -> None:
    """Raise RuntimeError where a leaf was changed after something was computed from it.

    Derivatives need values. Some of these would then be from before the change and some from after it, and the result
    would belong to neither point. `order`: all nodes, each after its inputs.
    """
    last = max((node.moment for node in order if node.op is None), default=0)
    if all(node.moment >= last for node in order if node.op is not None):
        return  # everything was computed after the last change of any leaf
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


def _accumulate(sums: dict[Any, Any], key: Any, contribution: Node) -> None:
    sums[key] = sums[key] + contribution if key in sums else contribution


def adjoints(output: Node, inputs: Sequence[Node], seed: Any = None) -> list[Node]:
    """The derivatives of `output` with respect to `inputs`, as nodes: look at them, draw them, differentiate them.

    output: a node; a scalar unless `seed` (an array or a node of its shape) says how its entries are weighted.
    Returns one node for each input, in its shape and dtype; a zero constant where the output does not depend on it.
    """
    inputs = list(inputs)
    for x in (output, *inputs):
        if not isinstance(x, Node):
            raise TypeError(f"adjoints needs nodes, to differentiate and to differentiate by, got {kind_of(x)}")
    found = adjoint_nodes({output: seed_node(output, seed)}, inputs)
    return [found[x] if x in found else Constant(np.zeros(x.shape, x.dtype)) for x in inputs]


def tangents(outputs: Sequence[Node], inputs: Sequence[Node], directions: Sequence[Any]) -> list[Node]:
    """Forward mode on a graph: the derivative of each output when `inputs` move in `directions`, as nodes."""
    tangent: dict[Node, Node] = {
        x: d if isinstance(d, Node) else Constant(np.asarray(d, x.dtype))
        for x, d in zip(inputs, directions, strict=True)
    }
    order = topological_order(*outputs)
    demand_one_point(order)
    for node in order:
        moving = {i: tangent[x] for i, x in enumerate(node.inputs) if x in tangent}
        if node.op is not None and node not in tangent and moving:
            found = node.op.pushforward(moving, node, *node.inputs)
            if found is not None:
                tangent[node] = cast(broadcast_to(found, node.shape), node.dtype)
    return [tangent[y] if y in tangent else Constant(np.zeros(y.shape, y.dtype)) for y in outputs]


def seed_node(output: Node, seed: Any) -> Node:
    """What a walk back from `output` starts with, as a node of its shape; 1 where `seed` is None."""
    if seed is None:
        if output.shape != ():
            raise ValueError(
                f"the derivative of {output!r} is not one number for each entry: its shape is {output.shape}. Take "
                "sum() or mean() first, or give a seed of that shape that says how its entries are weighted"
            )
        seed = 1.0
    node = seed if isinstance(seed, Node) else Constant(np.array(seed, output.dtype), name="seed")
    if node.shape != output.shape:
        raise ValueError(f"the seed has the shape of the output, {output.shape}; got {node.shape}")
    return node


Program = list[tuple[Callable[..., Any], list[np.ndarray], np.ndarray, Line | None]]


def program(nodes: Iterable[Node]) -> Program:
    """(function, inputs, output, line) for each operator, all arrays already there: what a rerun goes through.

    A view (a reshape, a slice, a transpose) needs no rerun: it shows the numbers of its input. Nor does an empty array.
    """
    return [
        (node.op.value, [x._value for x in node.inputs], node._value, node.line)
        for node in nodes
        if node.op is not None
        and node._value.size
        and not any(np.may_share_memory(node._value, x._value) for x in node.inputs)
    ]


def run(program: Program) -> None:
    """Compute all values anew. What an operation refuses it refuses in the words of the first time."""
    for function, inputs, out, line in program:
        try:
            result = function(*inputs, out=out)
        except (ValueError, TypeError, IndexError) as error:
            raise refusal(function.__self__, inputs, error, line) from None  # type: ignore[attr-defined]
        if result is not out and result is not None and not np.may_share_memory(result, out):
            raise TypeError(
                f"{function.__self__.name}.value gave a new array and left `out` as it was. When a graph runs again, "  # type: ignore[attr-defined]
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
        self._moment = -1  # of the last change that all values are known to have seen
        self._seed: Node | None = None
        self._adjoint: dict[Node, Node] = {}

    # These are made when something runs again: most graphs are used once.

    @cached_property
    def _operators(self) -> list[Node]:
        return [node for node in self.nodes if node.op is not None]

    @cached_property
    def _forward(self) -> Program:
        return program(self.nodes)

    @cached_property
    def _backward(self) -> Program:
        known = set(self.nodes)
        return program(node for node in topological_order(*self._adjoint.values()) if node not in known)

    def forward(self) -> Any:
        """Compute every node again, in place, from what the leaves hold now. Returns the output's value."""
        run(self._forward)
        self._moment = moment = _changes
        for node in self._operators:
            node.moment = moment
        return self.output.value

    def zero_grad(self) -> None:
        """Set the gradient of every variable to 0."""
        for variable in self.variables:
            variable.zero_grad()

    def backward(self, seed: Any = None) -> None:
        """Add the derivative of the output to `.grad` of every variable, and leave it in `.adjoint` of every node.

        The output must be a scalar unless `seed`, of its shape, weights its entries. Called again it runs the same
        reverse program in the same arrays; two calls without zero_grad() add up. Raises RuntimeError if a leaf was
        changed since the values were computed.
        """
        if self._seed is None:
            self._build_backward(seed)
        else:
            if self._moment != _changes:
                demand_one_point(self.nodes)
                self._moment = _changes
            np.copyto(self._seed._value, seed_node(self.output, seed)._value)
            run(self._backward)
        for variable in self.variables:
            if variable in self._adjoint:
                variable.add_grad(self._adjoint[variable]._value)

    def _build_backward(self, seed: Any) -> None:
        if not self.variables:
            raise ValueError(f"{self.output!r} depends on no Variable, so there is nothing to differentiate by")
        first = Constant(seed_node(self.output, seed)._value, name="seed")
        self._adjoint = adjoint_nodes({self.output: first}, self.variables, order=self.nodes)
        self._seed = first
        for node, adjoint in self._adjoint.items():
            node._adjoint = adjoint._value

    @property
    def adjoint(self) -> dict[Node, Node]:
        """The adjoint of each node on the way from the variables to the output, as nodes; empty before backward()."""
        return dict(self._adjoint)

    def __repr__(self) -> str:
        operators = sum(isinstance(node, Operator) for node in self.nodes)
        return f"<Graph of {len(self.nodes)} nodes: {len(self.variables)} variables, {operators} operators>"
