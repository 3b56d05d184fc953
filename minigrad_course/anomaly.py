"""Find the origin of a nan: `find_anomaly(loss)` names the first node that made a nan or an infinity.

It checks the values first, then the derivatives, and reports the operation, its inputs, and the line of code. Inside
`with detect_anomaly():` the operation raises immediately, with the same words.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from minigrad.core.errors import Line, learner_line
from minigrad.core.graph import Graph, adjoint_nodes
from minigrad.core.node import Constant, Node, Variable, on_new_operator, on_rows
from minigrad.guards.finite import at, first_bad, first_of
from minigrad.loops.scan import Pack, Scan
from minigrad.ops.shape import BroadcastTo, Cast, Concatenate, Index, Reshape, Transpose

MOVING = Reshape | Transpose | BroadcastTo | Index | Concatenate | Cast


@dataclass(frozen=True)
class Anomaly:
    """The first nan or infinity in a graph, and its origin.

    number: nan, inf or -inf; entry: its index in the array; node: the node that made it, a leaf that holds it, or, if
    `in_derivative`, the node whose derivative made it; line: the line of code that made the node. str() is a sentence.
    """

    number: float
    entry: tuple[int, ...]
    node: Node
    in_derivative: bool
    line: Line | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence + (f" At {self.line}" if self.line else "")


def find_anomaly(output: Node | Graph) -> Anomaly | None:
    """Find the first node behind `output` that made a nan or an infinity; None if there is none.

    Looks at the values in the order in which they were computed; if they are all finite, at the derivatives of
    `output` (of the sum of its entries) in the order in which the reverse pass computes them. Costs one reverse pass,
    and changes nothing: not the values, nor `.grad`. An infinity that is written down, as -np.inf where attention must
    not look, and what hands it on, made nothing.

    >>> x = mg.Variable(0.0, name="x")
    >>> with np.errstate(divide="ignore", invalid="ignore"):
    ...     print(mg.find_anomaly(0 * mg.log(x)))
    `log(x)` gave -inf, where x is 0.0. At ...
    """
    graph = output if isinstance(output, Graph) else Graph(output)
    for node in graph.nodes:
        if (entry := _bad_entry(node)) is not None:
            return _bad_value(node, entry)
    if (entry := first_bad(graph.output._value)) is not None:  # nobody asks for an infinite result
        return _bad_value(graph.output, entry)
    if not graph.variables:
        return None
    with np.errstate(all="ignore"):
        return _bad_derivative(graph)


class AnomalyError(FloatingPointError):
    """An operation made a nan or an infinity inside `detect_anomaly`. `anomaly` has the details."""

    def __init__(self, anomaly: Anomaly):
        super().__init__(str(anomaly))
        self.anomaly = anomaly


@contextmanager
def detect_anomaly() -> Iterator[None]:
    """Inside this block, a new node that holds a nan or an infinity raises AnomalyError at once, on its own line.

    Nodes of a backward pass are new nodes as well, the first time. A graph that runs again makes no new nodes: ask
    `find_anomaly` about it. The inputs of a compiled program are checked before it runs; if a step's loss is not
    finite, the step is repeated as a graph, to find the operation. Slower: every array is checked.

    >>> with np.errstate(divide="ignore"), mg.detect_anomaly():
    ...     mg.log(mg.Variable(0.0))
    Traceback (most recent call last):
    minigrad_course.anomaly.AnomalyError: ...
    """

    def look(node: Node) -> None:
        entry = _bad_entry(node)
        if entry is not None:
            raise AnomalyError(_bad_value(node, entry))

    tokens = on_new_operator.set(look), on_rows.set(_look_at_rows)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        on_new_operator.reset(tokens[0])
        on_rows.reset(tokens[1])


def _look_at_rows(leaf: Node, rows: np.ndarray, order: np.ndarray) -> None:
    """Raise AnomalyError if the rows that come into a compiled program through `leaf` hold a nan or an infinity."""
    rows = np.atleast_1d(rows)
    if (place := first_bad(rows[order])) is not None:
        place = (int(order[place[0]]), *place[1:])
        entry, number = place if leaf.shape else (), float(rows[place])
        sentence = f"{_called(leaf)} is given {at(rows, entry)}, before anything is computed."
        raise AnomalyError(Anomaly(number, entry, leaf, False, learner_line(), sentence))


def _bad_entry(node: Node) -> tuple[int, ...] | None:
    """Return the index of the first entry of a node's value that is nan, or infinite but not by intention."""
    if isinstance(node.op, Scan | Pack) and node.op.layout.mixed:
        return None  # the bytes of several dtypes: each result is checked when it is extracted
    entry = first_bad(node._value)
    if entry is None:
        return None
    return first_of(~(np.isfinite(node._value) | _intended(node)))


def _intended(node: Node) -> np.ndarray | bool:
    """Return which entries hold an intended infinity: written as -np.inf or in a mask of zeros and -inf, or a copy.

    An entry of an elementwise operation, or of one that only moves entries, is intended if its source is, which was
    checked before. The result of a reduction, such as a sum, is not.
    """
    value = node._value
    if node.op is None:
        mask = node.shape == () or not np.any((value == np.inf) | np.isnan(value))
        return np.isinf(value) if isinstance(node, Constant) and mask else False
    known = [x._value for x in node.inputs if not isinstance(x, Variable) and x.dtype.kind == "f"]
    if node.op.elementwise:
        same = [np.broadcast_to(x, value.shape) == value for x in known]
    else:
        same = [np.isin(value, x[np.isinf(x)]) for x in known] if isinstance(node.op, MOVING) else []
    return np.isinf(value) & np.logical_or.reduce([np.zeros(value.shape, bool), *same])


def _bad_value(node: Node, entry: tuple[int, ...]) -> Anomaly:
    number = at(node._value, entry)
    if node.op is None:
        sentence = f"{_called(node)} holds {number}, before anything is computed."
    else:
        sentence = f"{_formula(node)} gave {number}, where {_inputs_at(node, entry)}."
    return Anomaly(float(node._value[entry]), entry, node, False, node.line, sentence)


def _bad_derivative(graph: Graph) -> Anomaly | None:
    """Going back from the output, find the first node with a bad adjoint, and the operation that passed it on."""
    seed = Constant(np.ones(graph.output.shape, graph.output.dtype))
    adjoint = adjoint_nodes({graph.output: seed}, graph.variables)
    node = next((x for x in reversed(graph.nodes) if x in adjoint and first_bad(adjoint[x]._value) is not None), None)
    if node is None:
        return None
    for user in reversed(graph.nodes):
        if user.op is None or user not in adjoint:
            continue
        for i, x in enumerate(user.inputs):
            part = user.op.pullback([i], adjoint[user], user, *user.inputs)[0] if x is node else None
            if part is not None and (entry := first_bad(part._value)) is not None:
                by, number = _letters(user)[i], at(part._value, entry)
                passed = f"the derivative of {_formula(user)} by {by} gave {number}, where {_inputs_at(user, entry)}."
                return Anomaly(float(part._value[entry]), entry, user, True, user.line, passed)
    value = adjoint[node]._value
    entry = first_bad(value) or ()
    sentence = f"the derivative by {_called(node)} is {at(value, entry)}: what its users add up to."
    return Anomaly(float(value[entry]), entry, node, True, node.line, sentence)


def _letters(node: Node) -> list[str]:
    """Name the inputs of an operator in its formula: their names, or a, b, c."""
    return [x.name or "abcdefgh"[k % 8] for k, x in enumerate(node.inputs)]


def _formula(node: Node) -> str:
    assert node.op is not None
    text = node.op.text(*_letters(node))
    name = "" if text.startswith(node.op.name) else f"{node.op.name}, "
    return f"{name}`{node.name} = {text}`" if node.name else f"{name}`{text}`"


def _called(node: Node) -> str:
    return f"the {type(node).__name__} {node.name!r}" if node.name else f"a {type(node).__name__} of shape {node.shape}"


def _inputs_at(node: Node, entry: tuple[int, ...]) -> str:
    """Describe an operator's inputs: for elementwise operations at the bad entry, else their shape and range."""
    assert node.op is not None
    parts = []
    for name, x in zip(_letters(node), node.inputs, strict=True):
        if node.op.elementwise and len(entry) == len(node.shape):
            parts.append(f"{name} is {np.broadcast_to(x._value, node.shape)[entry]}")
        elif x._value.size and x.dtype.kind == "f":
            parts.append(f"{name} is {x.dtype} of shape {x.shape}, from {x._value.min()} to {x._value.max()}")
        else:
            parts.append(f"{name} is {x.dtype} of shape {x.shape}")
    return ", ".join(parts)
