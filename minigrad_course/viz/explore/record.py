"""The trace of a function's run, or of an existing graph, together with its source lines."""

from __future__ import annotations

import inspect
import linecache
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from minigrad.core.graph import Graph, Node, Variable, topological_order
from minigrad_course import short
from minigrad_course.trace import Equation, Table, Trace, trace
from minigrad_course.viz.boxes import unique_names
from minigrad_course.viz.explore.guests import translate

MOST = 400  # nodes: more rows and boxes than that cannot be read one by one


class Record:
    """A recorded trace.

    nodes: each after its inputs. names: of all nodes. inputs, outputs: those of the derivatives. title: the call.
    source: (number, text) of its lines. called: the function's own names for its outputs, if any.
    """

    def __init__(
        self, run: Trace, title: str, source: Sequence[tuple[int, str]], file: str, called: Mapping[Node, str]
    ):
        self.trace, self.title, self.source, self.called = run, title, tuple(source), dict(called)
        self.inputs, self.outputs, self._file = run.inputs, run.outputs, file
        self.nodes = list(dict.fromkeys(x for node in run.nodes for x in (*_leaves(node, run.inputs), node)))
        if len(self.nodes) > MOST:
            raise ValueError(
                f"explore goes through a computation node by node, and these are {len(self.nodes):,}; up to {MOST} can "
                "be followed. Take a smaller example, or mg.draw, which folds what is alike"
            )
        if any(node.op is not None and node.op.part is not None for node in self.nodes):
            raise ValueError(
                "explore shows one operation at a time, and a scan is a whole loop in one. Write it as a Python loop "
                "over a few steps, and explore that"
            )
        others = [node for node in self.nodes if not run.names.get(node)]  # numbers, such as the 2 in 2 * x
        self.names = dict(run.names)
        for node in others:
            number = short.is_literal(node)
            self.names[node] = short.number(node.value) if number else unique_names(others)[id(node)]

    @cached_property
    def moving(self) -> frozenset[Node]:
        """Return the inputs and the nodes that depend on them, but for integers: those that have a derivative."""
        return frozenset(node for node in self.trace.moving if node.dtype.kind == "f")

    def line(self, node: Node) -> int | None:
        """Return the number of the source line that made a node, or None if that line is not shown."""
        if node.line is None or node.line.file != self._file or node.op is None:
            return None
        return node.line.number if any(number == node.line.number for number, _ in self.source) else None

    def backwards(self, output: Node) -> list[Node]:
        """Return the nodes in the order of a correct walk from `output`: each after all nodes that pass it a share."""
        reached = set(topological_order(output))
        return [node for node in reversed(self.nodes) if node in reached and node in self.moving]

    def as_reached(self, output: Node) -> Iterator[Node]:
        """Yield each node once, in the order in which a walk from the output first reaches them."""
        queue, seen = [output], {output}
        while queue:
            node = queue.pop(0)
            yield node
            for x in node.inputs:
                if x not in seen and x in self.moving:
                    seen.add(x)
                    queue.append(x)

    @cached_property
    def reverse_tables(self) -> dict[Node, Table]:
        """Return for each output that moves the reverse trace table of the sum of its entries."""
        tables, start, sizes = {}, 0, [math.prod(y.shape) for y in self.outputs]
        for y, size in zip(self.outputs, sizes, strict=True):
            weights = np.zeros(sum(sizes))
            weights[start : start + size] = 1.0
            start += size
            if y in self.moving:
                tables[y] = self.trace.reverse(weights)
        return tables

    @cached_property
    def equations(self) -> tuple[dict[Node, Equation], dict[tuple[Node, int], Equation]]:
        """Return the trace's equations: of each node's value, and of the share passed to its input number i."""
        primal: dict[Node, Equation] = {}
        passed: dict[tuple[Node, int], Equation] = {}
        for table in self.reverse_tables.values():
            places: dict[Node, list[int]] = {}
            for row in table.rows:
                if row.kind != "operation":
                    continue
                primal[row.node] = row.primal
                if row.derivative is None or row.target is row.node:
                    continue
                free = places.setdefault(row.node, list(range(len(row.node.inputs))))
                i = next(i for i in free if row.node.inputs[i] is row.target)  # x * x passes a share to x twice
                free.remove(i)
                passed[row.node, i] = row.derivative
        return primal, passed


def _leaves(node: Node, inputs: Sequence[Node]) -> list[Node]:
    return [x for x in node.inputs if x.op is None and x not in set(inputs)]


def record(what: Callable[..., Any] | Node | Graph | Sequence[Node], *args: object, **options: object) -> Record:
    """Run the function once on `args`, or take the graph as it is."""
    if isinstance(what, Graph):
        what = [what.output]
    if isinstance(what, Node):
        what = [what]
    if isinstance(what, list | tuple):
        if args or options:
            raise TypeError("explore(node) takes the graph as it is, with the values it has, and no arguments")
        return _of_nodes(what)
    if not callable(what):
        raise TypeError(f"explore needs a function and its arguments, or a node; got a {type(what).__name__}")
    return _of_call(what, args, options)


def _of_call(function: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> Record:
    function, args, options, compare = translate(function, args, options)
    run = trace(function, *args, **options)
    compare(run)
    try:
        lines, first = inspect.getsourcelines(function)
        source = list(enumerate(textwrap.dedent("".join(lines)).splitlines(), max(first, 1)))
    except (OSError, TypeError):  # made by exec, or not written in Python
        source = []
    name = "f" if run.title == "<lambda>" else run.title
    result = name if len(name) == 1 else "f"
    if len(run.outputs) == 1 and run.outputs[0].op is not None and result not in run.names.values():
        run.names[run.outputs[0]] = result
    written = inspect.unwrap(function)
    file = written.__code__.co_filename if hasattr(written, "__code__") else ""
    called, start = {}, 0
    for y in run.outputs if len(run.outputs) > 1 else ():
        if y.shape == ():
            called[y] = run.output_names[start]
        start += math.prod(y.shape)
    values = [f"{run.names[x]}={short.number(x._value)}" if x.shape == () else run.names[x] for x in run.inputs]
    values += [f"{name}={value!r}" for name, value in options.items()]
    return Record(run, f"{name}({', '.join(values)})", source, file, called)


def _of_nodes(outputs: Sequence[Node]) -> Record:
    """Find the source of a graph: the lines of the file that made its nodes; with several files, the last node's."""
    for node in outputs:
        if not isinstance(node, Node):
            raise TypeError(f"explore needs a function and its arguments, or nodes; got a {type(node).__name__}")
    nodes = topological_order(*outputs)
    inputs = [node for node in nodes if isinstance(node, Variable)]
    if not inputs:
        raise ValueError("this graph has no Variable, so there is nothing to differentiate by")
    title = ", ".join(node.name or "f" for node in outputs)
    made = {node: k for k, node in enumerate(nodes) if node.op is not None}
    run = Trace(inputs, outputs, None, made, [], title, [node.name for node in outputs])
    lines = [node.line for node in made if node.line is not None]
    file = lines[-1].file if lines else ""
    numbers = sorted({line.number for line in lines if line.file == file})
    source = [(number, linecache.getline(file, number).rstrip()) for number in numbers]
    return Record(run, title, source, file, {})


@contextmanager
def lent(nodes: Sequence[Node], adjoints: Mapping[Node, Any]) -> Iterator[None]:
    """Give the nodes these adjoints while a picture is drawn."""
    kept = [node._adjoint for node in nodes]
    try:
        for node in nodes:
            node._adjoint = np.asarray(adjoints[node]) if node in adjoints else None
        yield
    finally:
        for node, adjoint in zip(nodes, kept, strict=True):
            node._adjoint = adjoint
