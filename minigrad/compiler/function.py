"""Compile any graph to a function of some of its leaves."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

import numpy as np

from minigrad.compiler.program import build, kernels_named, load, source_of
from minigrad.compiler.step import CANNOT_BE_COPIED
from minigrad.compiler.tables import BufferTable, Report
from minigrad.core.arrays import ArrayLike
from minigrad.core.graph import Constant, Node, Variable, topological_order
from minigrad.core.node import on_rows
from minigrad.core.operation import evaluate, plain
from minigrad.guards.bounds import bounds, check_bounds, check_range, fitting, looks_up_computed
from minigrad.nn.init import drawing_again


class CompiledGraph:
    """The result of `compile_graph`. Call it with new values of the inputs; it returns the outputs, as new arrays.

    Calls from several threads run one after the other.
    """

    def __init__(self, outputs: Sequence[Node], inputs: Sequence[Node], off: Collection[str], name: str):
        self.inputs, self.outputs, self._single = list(inputs), list(outputs), len(outputs) == 1
        self.off = off
        names = {node: node.name or f"input_{k}" for k, node in enumerate(inputs)}
        self.program = build(names, outputs, off=off, name="program")
        self.source = source_of(f"{name}: {len(outputs)} outputs of {len(inputs)} inputs.", [self.program])
        self.name = name
        self._arrays = [*self.program.fixed.values(), *self.program.new_buffers().values()]
        self._function: Any = None
        self._order, self._lock = topological_order(*outputs), threading.Lock()
        self._bounds, self._looks_up_computed = bounds(self._order, self.inputs), looks_up_computed(self._order)
        self._rows = [np.arange(node.shape[0] if node.shape else 1) for node in self.inputs]

    @property
    def buffers(self) -> BufferTable:
        """Every array of the program."""
        return BufferTable(self.program.buffers)

    def explain(self) -> Report:
        """Report the changes of each pass."""
        return Report(self.program.report)

    def __call__(self, *values: ArrayLike) -> Any:
        """Return the outputs for these values of the inputs, in their shapes: one array or number, or a tuple of
        them.
        """
        if len(values) != len(self.inputs):
            raise TypeError(f"this program takes {len(self.inputs)} inputs, got {len(values)}")
        arrays = [fitting("this program", node.name or f"input {k}", value, node.dtype)
                  for k, (node, value) in enumerate(zip(self.inputs, values, strict=True))]  # fmt: skip
        arguments = []
        for node, value, rows in zip(self.inputs, arrays, self._rows, strict=True):
            if value.shape != node.shape:
                raise ValueError(f"{node!r} keeps its shape {node.shape}, got {value.shape}. Compile another program")
            check_bounds(self._bounds, {node: np.atleast_1d(value)}, rows)
            check_range("this program", node.name or "an input", np.atleast_1d(value), rows, node.dtype)
            arguments.append(node.dtype.type(value[()]) if not node.shape else np.ascontiguousarray(value, node.dtype))
        if (look := on_rows.get()) is not None:
            for node, value, rows in zip(self.inputs, arrays, self._rows, strict=True):
                look(node, value, rows)
        with self._lock:
            if self._function is None:
                self._function = load(self.name, self.source, [self.program]).program
            try:
                with kernels_named([self.program]):
                    results = self._function(*arguments, *self._arrays)
            except (ValueError, IndexError):  # of a kernel
                self._do_again(arguments)
                raise
            results = results if isinstance(results, tuple) else (results,)
            copies = tuple(plain(np.array(result)) for result in results)
        if self._looks_up_computed and not all(np.isfinite(result).all() for result in copies):
            self._do_again(arguments)
        if look is not None:
            self._look_at_results(copies)
        return copies[0] if self._single else copies

    def _do_again(self, arguments: Sequence[Any]) -> None:
        """Compute the graph for these inputs, in new arrays: its operations refuse a label that is out of range."""
        numbers: dict[Node, Any] = dict(zip(self.inputs, arguments, strict=True))
        with drawing_again(), np.errstate(all="ignore"):
            for node in self._order:
                if node.op is None:
                    numbers.setdefault(node, node._value)
                elif node not in numbers:
                    numbers[node] = np.asarray(evaluate(node.op, [numbers[x] for x in node.inputs], node.line))

    def _look_at_results(self, results: Sequence[Any]) -> None:
        for k, result in enumerate(results):
            bad = np.argwhere(~np.isfinite(np.asarray(result)))
            if len(bad):
                place = f" at entry {bad[0].tolist()}" if len(bad[0]) else ""
                raise FloatingPointError(
                    f"output {k} of this program is {np.asarray(result)[tuple(bad[0])]}{place}. The same expression, "
                    "written inside detect_anomaly, raises where the number is made"
                )

    def __reduce__(self) -> NoReturn:
        raise TypeError(CANNOT_BE_COPIED.format("program"))


def compile_graph(
    outputs: Node | Sequence[Node],
    inputs: Sequence[Node] | None = None,
    *,
    off: Collection[str] = (),
    name: str = "graph",
) -> CompiledGraph:
    """Turn a graph into a program: a function of `inputs`, which are all variables if not said.

    outputs: a node, or several; the adjoints of a graph are nodes too. off: names of passes to leave out.

    >>> x = mg.Variable(3.0, name="x")
    >>> f = x * x
    >>> program = mg.compile_graph([f, *mg.adjoints(f, [x])])
    >>> program(2.0)  # the value and the derivative at 2
    (4.0, 4.0)
    """
    outputs = [outputs] if isinstance(outputs, Node) else list(outputs)
    if not outputs or not all(isinstance(node, Node) for node in outputs):
        raise TypeError("compile_graph needs a node, or a list of nodes, as its outputs")
    if inputs is None:
        inputs = [node for node in topological_order(*outputs) if isinstance(node, Variable)]
    inputs, places = list(inputs), dict[Node, int]()
    for k, node in enumerate(inputs):
        if not isinstance(node, Variable | Constant):
            raise TypeError(f"the inputs of a program are variables or constants, got {node!r}")
        if (first := places.setdefault(node, k)) < k:
            raise ValueError(
                f"compile_graph: inputs {first} and {k} are one and the same node, {node!r}. A program takes each "
                "node once: leave one of them out"
            )
    return CompiledGraph(outputs, inputs, off, name)
