"""The nodes of a computational graph: a `Constant` holds data, a `Variable` a parameter, an `Operator` a result.

Writing an expression evaluates it at once and records it: `f.value` is its value, and `f` keeps its inputs. graph.py
uses this record, forward and backward.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from operator import attrgetter
from types import FrameType
from typing import Any

import numpy as np

from minigrad.core import dtypes, errors
from minigrad.core.arrays import ArrayLike
from minigrad.core.block import Block, current
from minigrad.core.errors import Line, is_internal, refusal, unmasked
from minigrad.core.lent import lend, lent, settle
from minigrad.core.operand import Operand
from minigrad.core.operation import Operation, evaluate, floats, numbers, plain
from minigrad.core.rules import Rule, equal

# Hook that decides `if node:` from its current value (set by `trace`).
on_decision: ContextVar[Callable[[Node], bool] | None] = ContextVar("on_decision", default=None)

_changes = 0  # the number of changes of leaves in this process: the clock for "before" and "after"


def latest_change() -> int:
    """The moment of the latest change of any leaf."""
    return _changes


def new_moment() -> int:
    """Return a moment later than that of every existing node."""
    global _changes
    _changes += 1
    return _changes


class Node(Operand):
    """The base class of all nodes. Each has a value in an array of its own, a shape, a dtype, and perhaps a name.

    line, block: the part of the program that made it. adjoint_of: the nodes whose adjoint it is, if any. moment: the
    number of changes of leaves before the value was computed, or assigned.
    """

    __slots__ = ("__weakref__", "_adjoint", "_value", "adjoint_of", "block", "line", "moment", "name")
    op: Operation | None = None
    inputs: tuple[Node, ...] = ()
    weak = False  # it keeps its dtype where another operand has a larger or smaller one
    line: Line | None
    block: Block | None
    adjoint_of: tuple[Node, ...]
    moment: int
    _value: np.ndarray
    _adjoint: np.ndarray | None

    def __init__(self, value: np.ndarray, name: str | None):
        self._value, self.name, self._adjoint = value, name, None
        self.block, self.adjoint_of, self.moment = current.get(), (), _changes
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(errors.INTERNAL_DIRS):
            frame = frame.f_back
        self.line = None if frame is None else Line(frame.f_code.co_filename, frame.f_lineno)

    @property
    def value(self) -> Any:
        """The number (a float) or the array that the node holds. Assigning copies into that array."""
        if self.shape:
            lend(self)
        return plain(self._value)

    @property
    def adjoint(self) -> Any:
        """The derivative of the output with respect to this node, from the last backward pass; None before one."""
        return plain(self._adjoint) if self._adjoint is not None else None

    def lift(self, op: Operation, inputs: Sequence[Any]) -> Operator:
        return Operator(op, inputs)

    def backward(self, seed: ArrayLike | None = None) -> None:
        """Add the derivative of this node to `.grad` of every variable it depends on. See `Graph.backward`."""
        from minigrad.core.graph import Graph  # a graph is made of nodes

        Graph(self).backward(seed)

    def __eq__(self, other: Any) -> Any:
        decided = on_decision.get() is not None and isinstance(other, Node | int | float)
        if decided and not is_internal(sys._getframe(1).f_code.co_filename):
            return equal(self, other)  # in a trace, a learner's `if x == y` compares the values
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
    """A node without inputs, whose value is assigned."""

    __slots__ = ()

    @Node.value.setter  # type: ignore[attr-defined, untyped-decorator]
    def value(self, new: ArrayLike) -> None:
        array = numbers(new, self, np.asarray)
        if array.shape != self.shape:
            raise ValueError(
                f"{self!r} keeps its shape {self.shape}: graphs that use it were built for it; got {array.shape}. "
                "Build a new graph for another shape"
            )
        takes = {"f": "fiub", "b": "b"}.get(self.dtype.kind, "iub")
        if array.dtype.kind not in takes:
            advice = ". Labels and row numbers are integers: try .astype(int)" if array.dtype.kind == "f" else ""
            raise TypeError(f"{self!r} holds {self.dtype}, and cannot take {array.dtype}: {new!r:.40}{advice}")
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
        """Call after writing to the array: values computed earlier are now stale."""
        changed([self])


def changed(leaves: Sequence[Leaf]) -> None:
    """Mark several arrays as written to, at one moment: values computed from them earlier are stale."""
    global _changes
    _changes += 1
    for leaf in leaves:
        leaf.moment = _changes
    if lent:
        settle(leaves, recomputed=True)


class Constant(Leaf):
    """Data, without a derivative. Any dtype; a Python number takes the dtype of the other operand."""

    __slots__ = ("weak",)

    def __init__(self, value: ArrayLike, name: str | None = None):
        self.weak = type(value) in (int, float)
        super().__init__(np.array(value, np.float64) if self.weak else numbers(value, "a Constant"), name)


LINE = 64  # bytes of memory that a processor loads at a time


class Variable(Leaf):
    """A variable to differentiate by. `grad` adds up over backward passes until `zero_grad()`.

    value: a number, a list or an array; float32 stays float32, everything from Python becomes float64. The value is
    copied. `name`: in tables and pictures.
    """

    __slots__ = ("_grad", "_seen", "_state")
    placed: Callable[..., np.ndarray] = staticmethod(np.array)  # a copy; see native/aligned.py
    warn_of_used_grad: Callable[[], None] = staticmethod(lambda: None)  # see training/optim.py

    def __init__(self, value: ArrayLike, name: str | None = None):
        if isinstance(value, Node):
            raise TypeError("a Variable starts a graph, and cannot be made from a node. Use the node itself, or .value")
        array = floats(value, "a Variable", ".astype(np.float32), or mg.Constant for integers such as labels")
        super().__init__(array if array.nbytes < LINE else self.placed(array), name)
        self._grad: np.ndarray | None = None
        self._seen = False  # whether the array `_grad` may be referenced from outside
        self._state = "zero"  # of the gradient: "zero", "added" to by backward passes, "used" by an optimizer's step

    @property
    def grad(self) -> Any:
        """The sum of the derivatives of all backward passes since zero_grad(), in the variable's shape and dtype.

        A returned array keeps accumulating; zero_grad() leaves it unchanged and starts another one.
        """
        self._seen = True
        return plain(self.grad_array())

    @grad.setter
    def grad(self, value: ArrayLike | None) -> None:
        """Restart the sum at this value; at 0 for None, as in PyTorch."""
        new = np.array(0.0 if value is None else unmasked(value), dtype=self._value.dtype)
        if new.shape not in ((), self.shape):
            raise ValueError(f"the gradient of {self!r} has its shape, {self.shape}; got {new.shape}")
        self.zero_grad()
        np.copyto(self.grad_array(), new)

    def grad_array(self) -> np.ndarray:
        """The array behind `grad`, for optimizers: even a scalar's is an array that can be written to."""
        if self._grad is None:
            self._grad = np.zeros_like(self._value)
        return self._grad

    def add_grad(self, adjoint: np.ndarray) -> None:
        """Add the outcome of a backward pass to the sum."""
        if self._state == "used":
            self.warn_of_used_grad()
        self._state = "added"
        grad = self.grad_array()
        np.add(grad, adjoint, out=grad)

    def used_grad(self) -> None:
        """Call from an optimizer's step: adding to the gradient from now on is a mistake."""
        if self._state == "added":
            self._state = "used"

    def zero_grad(self) -> None:
        """Restart the sum at 0: in place, unless the array has been returned to somebody."""
        self._state = "zero"
        if self._seen:
            self._grad, self._seen = None, False
        elif self._grad is not None:
            self._grad.fill(0)


def leaf_of(array: np.ndarray, name: str | None = None) -> Variable:
    """Make a variable whose array is the given one itself, not a copy."""
    leaf = Variable(np.zeros(0, array.dtype), name)
    leaf._value = array
    return leaf


# Hooks, unset by default. `on_rows` receives the rows for each leaf of a compiled program, and which of them are used;
# `on_new_operator` every new operator, for `detect_anomaly`; `postponing` puts off an operator's value until somebody
# asks for it, and gives an array like it (compiler/postponed.py); None if the value is to be computed now.
on_rows: ContextVar[Callable[[Node, np.ndarray, np.ndarray], None] | None] = ContextVar("on_rows", default=None)
on_new_operator: ContextVar[Callable[[Node], None] | None] = ContextVar("on_new_operator", default=None)
postponing: ContextVar[Callable[[Operator], np.ndarray | None] | None] = ContextVar("postponing", default=None)


class _Ending(threading.local):
    """In each thread: the inputs of nodes that are gone, while they are being freed; else None."""

    waiting: list[tuple[Node, ...]] | None = None


_ending = _Ending()
array_of: Callable[[Node], np.ndarray] = attrgetter("_value")


class Operator(Node):
    """The result of an operation on other nodes. Usually made by writing expressions."""

    __slots__ = ("inputs", "op")

    def __init__(self, op: Operation, inputs: Sequence[Any], name: str | None = None):
        self.op, self.inputs = op, _nodes(op, inputs)
        if lent:
            settle(self.inputs)
        postpone = postponing.get()
        value = None if postpone is None else postpone(self)
        if value is None:
            value = np.asarray(evaluate(op, tuple(map(array_of, self.inputs))))
        super().__init__(value, name)
        if (look := on_new_operator.get()) is not None:
            look(self)

    def __del__(self) -> None:
        """Free a long chain in a loop: nested destructors would overflow the C stack."""
        inputs, self.inputs = getattr(self, "inputs", ()), ()
        if _ending.waiting is not None:  # this node ends because another one does, whose loop goes on with its inputs
            _ending.waiting.append(inputs)
            return
        _ending.waiting = waiting = [inputs]
        del inputs
        try:
            while waiting:
                waiting.pop()
        finally:
            _ending.waiting = None

    @property
    def grad(self) -> Any:
        raise AttributeError(
            "only a Variable adds up a .grad. The derivative with respect to this Operator is its .adjoint"
        )


def is_view(node: Node) -> bool:
    """Tell whether a node is a view of one of its inputs, such as a reshape, a slice or a transpose."""
    return any(np.may_share_memory(node._value, x._value) for x in node.inputs)


# Dtypes: a Python number gets the dtype of the other operand.


def _nodes(op: Operation, inputs: Sequence[Any]) -> tuple[Node, ...]:
    """Turn the inputs into nodes, in the dtypes in which the operation takes them."""
    for x in inputs:  # not all(...), which would call a generator in each operation
        if not isinstance(x, Node) or x.weak or x.dtype.itemsize == 1:
            break
    else:
        return tuple(inputs)
    nodes = [x if isinstance(x, Node) else Constant(x) for x in inputs]
    strong = {node.dtype for node in nodes if not node.weak}
    if strong and any(node.weak for node in nodes):
        loop_dtypes = _as_numpy_would(op, nodes, inputs, strong)
        for k, node in enumerate(nodes):
            if node.weak and node.dtype != loop_dtypes[k]:
                nodes[k] = _weak_as(node, loop_dtypes[k], inputs[k])
    if any(dtype.itemsize == 1 for dtype in strong) and isinstance(op, Rule):  # NumPy would choose half precision
        try:
            loop, _ = op.dtypes(*(node.dtype for node in nodes))
        except TypeError as error:  # NumPy subtracts no conditions
            raise refusal(op, [node._value for node in nodes], error, errors.learner_line()) from None
        if all(dtype == dtypes.SINGLE for dtype in loop):
            nodes = [node if node.dtype == dtypes.SINGLE else node.astype(dtypes.SINGLE) for node in nodes]
    return tuple(nodes)


def _as_numpy_would(
    op: Operation, nodes: list[Node], inputs: Sequence[Any], strong: set[np.dtype]
) -> Sequence[np.dtype]:
    """Return the dtype of each input where a Python number meets others: 2 * x stays integer, 2.5 * x does not."""
    if all(dtype.kind == "f" for dtype in strong):
        return [dtypes.together([*strong])] * len(nodes)
    kinds: list[dtypes.Kind] = [
        node.dtype if not node.weak else float if isinstance(x, Node) else type(x)
        for node, x in zip(nodes, inputs, strict=True)
    ]
    if isinstance(op, Rule) and len(kinds) == len(op.inputs):
        return op.dtypes(*kinds)[0]
    return [dtypes.together(kinds)] * len(nodes)


def _weak_as(node: Node, dtype: np.dtype, number: float) -> Node:
    if isinstance(number, Node):  # it may get another value later, so it has to stay in the graph
        return node.astype(dtype) if dtype.kind == "f" else node
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max:
        raise OverflowError(f"the number {number} does not fit into {dtype}, which it meets. Try .astype(int) there")
    exact = number if dtype.kind in "iu" else node._value  # a float64 would leave out integers beyond 2**53
    return Constant(np.array(exact, dtype), node.name)
