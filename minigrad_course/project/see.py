"""Pictures and tables of a learner's graph, by four attributes: value, op, inputs and grad.

A graph of foreign nodes is written out as a small Python function in minigrad's operations. So minigrad's own `draw`,
`trace` and `explore` show it, with the lines of that function as the program.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

import minigrad as mg
from minigrad.core.arrays import Array
from minigrad.core.operation import Operation

if TYPE_CHECKING:
    from minigrad_course.trace import Trace
    from minigrad_course.viz.explore.widget import Explorer
    from minigrad_course.viz.picture import Picture

TEXT = {name: f"{{0}} {name} {{1}}" for name in ("+", "-", "*", "/", "@")}
TEXT |= {name: f"mg.{name}({{0}})" for name in ("sin", "cos", "exp", "log", "tanh", "relu", "transpose")}
TEXT |= {"neg": "-{0}", "**": "{0} ** {n}", "sum": "mg.sum({0}, {axis})", "reshape": "mg.reshape({0}, {shape})"}
_numbers = count()


class Foreign(Operation):
    """An operation of the learner's own, known only by name and value."""

    def __init__(self, name: str, result: object):
        self.name, self.result = name, np.asarray(result, dtype=float)

    def value(self, *inputs: object, out: np.ndarray | None = None) -> np.ndarray:
        if out is None:
            return self.result.copy()
        np.copyto(out, self.result)
        return out


def ordered(output: Array) -> list[Any]:
    """List every node that `output` needs, each after its inputs. Raises TypeError if a node lacks an attribute."""
    order: dict[int, Any] = {}
    seen, stack = set(), [(output, False)]
    while stack:
        node, inputs_done = stack.pop()
        missing = [name for name in ("value", "op", "inputs", "grad") if not hasattr(node, name)]
        if missing:
            raise TypeError(
                f"a node has value, op, inputs and grad; this {type(node).__name__} has no {' and no '.join(missing)}"
            )
        if inputs_done:
            order[id(node)] = node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((x, False) for x in reversed(list(node.inputs)))
    return list(order.values())


class Written:
    """A learner's graph as a function: `function(*values)` returns minigrad's output, `all(*values)` every node."""

    def __init__(self, output: Array, inputs: Sequence[Any] | None = None):
        self.nodes = ordered(output)
        self.inputs = list(inputs) if inputs is not None else [node for node in self.nodes if not node.op]
        names = {id(node): f"x{k}" for k, node in enumerate(self.inputs)}
        self.space: dict[str, Any] = {"mg": mg, "np": np}
        self.lines: list[str] = []
        for node in self.nodes:
            if id(node) not in names and not node.op and np.ndim(node.value) == 0:
                names[id(node)] = f"({float(node.value)!r})" if node.value < 0 else repr(float(node.value))
            elif id(node) not in names:
                names[id(node)] = f"v{len(self.lines) + 1}"
                self.lines.append(f"    {names[id(node)]} = {self._line(node, names)}")
        arguments = ", ".join(names[id(node)] for node in self.inputs)
        self.names = names
        self.function = self._made(arguments, names[id(output)])
        self.all = self._made(arguments, f"[{', '.join(names[id(node)] for node in self.nodes)}]")

    def _line(self, node: Any, names: dict[int, str]) -> str:
        arguments = [names[id(x)] for x in node.inputs]
        options = dict(getattr(node, "options", {}))
        try:
            return TEXT[node.op].format(*arguments, **options)
        except (KeyError, IndexError):
            name = f"{node.op if str(node.op).isidentifier() else 'operation'}_{len(self.lines) + 1}"
            if not node.op:
                self.space[name] = node.value
                return name
            self.space[name] = Foreign(str(node.op), node.value)
            return f"{name}({', '.join(arguments)})"

    def _made(self, arguments: str, returned: str) -> Callable[..., Any]:
        """Compile the function, with its source available to tracebacks."""
        source = "\n".join([f"def graph({arguments}):", *self.lines, f"    return {returned}\n"])
        file = f"<your graph {next(_numbers)}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        space = dict(self.space)
        exec(compile(source, file, "exec"), space)
        return space["graph"]

    @property
    def values(self) -> list[Any]:
        """Return the inputs' values."""
        return [node.value for node in self.inputs]


def draw(output: Array, **options: object) -> Picture:
    """The graph of a learner's node, with their values and, after a pass, with their gradients: `mg.draw` of it."""
    written = Written(output)
    inputs = [
        mg.Variable(np.asarray(node.value, dtype=float), name=getattr(node, "name", None) or f"x{k}")
        for k, node in enumerate(written.inputs)
    ]
    made = written.all(*inputs)
    for theirs, ours in zip(written.nodes, made, strict=True):
        if np.any(theirs.grad):
            ours._adjoint = np.broadcast_to(np.asarray(theirs.grad, dtype=float), np.shape(ours.value)).copy()
    return mg.draw(made[-1], **options)


def trace(f: Callable[..., Any], *nodes: object) -> Trace:
    """The trace table of a function of the learner's nodes: `.forward()` and `.reverse()`, as `mg.trace` makes it."""
    written = Written(f(*nodes), nodes)
    return mg.trace(written.function, *written.values)


def explore(f: Callable[..., Any], *nodes: object) -> Explorer:
    """The linked views of a function of the learner's nodes, as `mg.explore` makes them."""
    written = Written(f(*nodes), nodes)
    return mg.explore(written.function, *written.values)


def failing_graph(graph: Sequence[Any], where: int, mark: str) -> str:
    """Draw the graph on which an engine failed, as HTML: inputs, steps and seed, with the right values.

    where: the index of the engine's wrong value. mark: the expected value, and the actual one.
    """
    from minigrad_course.project.graphs import Graph

    inputs, seed = tuple(np.asarray(x, dtype=float) for x in graph[0]), np.asarray(graph[2], dtype=float)
    steps = tuple((name, tuple(places)) for name, places in graph[1])
    nodes = [mg.Variable(x, name=f"x{k}") for k, x in enumerate(inputs)]
    made = Graph(inputs, steps).run(mg, nodes)
    for k, node in enumerate(made[len(inputs) :], len(inputs)):
        node.name = f"v{k}"
    made[-1].backward(np.broadcast_to(seed, np.shape(made[-1].value)))
    picture = mg.draw(made[-1]).marked(made[where], mark.removeprefix(f"{made[where].name}."))
    return (
        "<p>The same graph in minigrad, where each value and each adjoint is right. "
        f"The first that yours has otherwise is marked ✗:</p>{picture.svg}"
    )
