"""What is explored: one run of a function, or a graph that is there already, with names and source lines."""

from __future__ import annotations

import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import FrameType, MappingProxyType
from typing import Any

import numpy as np

from minigrad.graph import Constant, Graph, Node, Variable, on_new_operator, topological_order
from minigrad.viz.boxes import unique_names

MOST = 400  # nodes: more rows and boxes than that are no longer looked at one by one


class Record:
    """nodes: each after its inputs. names: what each is called. inputs, outputs: by what, and of what, derivatives are.

    title: the call. lines: (number, text) of the source, with `place` from a node to its line's number.
    """

    def __init__(
        self,
        outputs: Sequence[Node],
        inputs: Sequence[Node],
        title: str,
        source: Sequence[tuple[int, str]],
        file: str,
        made: Sequence[Node] = (),
        variables: Mapping[Node, str] = MappingProxyType({}),
    ):
        """made: the nodes in the order in which they were made. variables: what the function calls some of them."""
        self.outputs, self.title, self.source, self._file = tuple(outputs), title, tuple(source), file
        self.inputs = tuple(inputs)
        found = topological_order(*outputs)
        if made:  # in the order of the program; constants just before they are used
            reached = set(found)
            found = [y for node in made if node in reached for y in (*_leaves(node), node)] + found
        self.nodes = list(dict.fromkeys([*inputs, *found]))
        if len(self.nodes) > MOST:
            raise ValueError(
                f"explore goes through a computation node by node, and these are {len(self.nodes):,}; up to {MOST} can "
                "be followed. Take a smaller example, or mg.draw, which folds what is alike"
            )
        if not self.inputs:
            raise ValueError("there is nothing to differentiate by: give explore a Variable, or a function's arguments")
        by_id = unique_names(self.nodes)
        self.names = {node: by_id[id(node)] for node in self.nodes}
        self._name_as_in_the_source(variables)

    def _name_as_in_the_source(self, variables: Mapping[Node, str]) -> None:
        """Nodes that a variable of the function held are called as it is; a1, a2, ... where it held several."""
        held: dict[str, list[Node]] = {}
        for node in self.nodes:
            if node in variables and not node.name and node.op is not None:
                held.setdefault(variables[node], []).append(node)
        for variable, nodes in held.items():
            for k, node in enumerate(nodes, 1):
                name = variable if len(nodes) == 1 else f"{variable}{k}"
                if name not in self.names.values():
                    self.names[node] = name
        others = (node for node in self.nodes if node.op is not None and not node.name and node not in variables)
        taken = set(self.names.values())
        for k, node in enumerate(others, 1):
            if f"v{k}" not in taken or self.names[node].startswith("v"):
                self.names[node] = f"v{k}"

    @cached_property
    def moving(self) -> set[Node]:
        """The nodes that depend on an input, and the inputs: those that have a derivative."""
        found = set(self.inputs)
        for node in self.nodes:
            if any(x in found for x in node.inputs):
                found.add(node)
        return found

    def line(self, node: Node) -> int | None:
        """The number of the source line that made a node; None if it is not among those shown."""
        if node.line is None or node.line.file != self._file or isinstance(node, Variable):
            return None
        return node.line.number if any(number == node.line.number for number, _ in self.source) else None

    def backwards(self, output: Node) -> list[Node]:
        """The way of a right walk from `output`: each node after all that it got a share from."""
        reached = set(topological_order(output))
        return [node for node in reversed(self.nodes) if node in reached and node in self.moving]

    def as_reached(self, output: Node) -> Iterator[Node]:
        """Each node once, in the order in which a walk from the output meets them first."""
        queue, seen = [output], {output}
        while queue:
            node = queue.pop(0)
            yield node
            for x in node.inputs:
                if x not in seen and x in self.moving:
                    seen.add(x)
                    queue.append(x)


def record(what: Callable[..., Any] | Node | Graph | Sequence[Node], *args: Any) -> Record:
    """Run the function once, on `args`, or take the graph as it is."""
    if isinstance(what, Graph):
        what = [what.output]
    if isinstance(what, Node):
        what = [what]
    if isinstance(what, list | tuple):
        if args:
            raise TypeError("explore(node) takes the graph as it is, with the values it has, and no arguments")
        return _of_nodes(list(what))
    if not callable(what):
        raise TypeError(f"explore needs a function and its arguments, or a node; got a {type(what).__name__}")
    return _of_call(what, args)


def _of_call(function: Callable[..., Any], args: Sequence[Any]) -> Record:
    try:
        names = list(inspect.signature(function).bind(*args).arguments)
    except TypeError as error:
        name = getattr(function, "__name__", "the function")
        raise TypeError(f"{name} cannot be called with these {len(args)} arguments: {error}") from None
    names = names if len(names) == len(args) else [f"x{k}" for k in range(1, len(args) + 1)]
    inputs = [Variable(np.asarray(x, np.float64), name) for x, name in zip(args, names, strict=True)]
    made: list[Node] = []
    token = on_new_operator.set(made.append)
    try:
        with _variables(function) as variables:
            found = function(*inputs)
    finally:
        on_new_operator.reset(token)
    outputs = list(found) if isinstance(found, list | tuple) else [found]
    outputs = [y if isinstance(y, Node) else Constant(y) for y in outputs]
    name = getattr(function, "__name__", "f")
    values = ", ".join(f"{n}={x:g}" if np.ndim(x) == 0 else n for n, x in zip(names, args, strict=True))
    try:
        lines, first = inspect.getsourcelines(function)
        source = list(enumerate(textwrap.dedent("".join(lines)).splitlines(), max(first, 1)))
    except (OSError, TypeError):  # made by exec, or not written in Python
        source = []
    file = function.__code__.co_filename if hasattr(function, "__code__") else ""
    return Record(outputs, inputs, f"{'f' if name == '<lambda>' else name}({values})", source, file, made, variables)


@contextmanager
def _variables(function: Callable[..., Any]) -> Iterator[dict[Node, str]]:
    """What the function's own variables hold while it runs: the first variable that each node was put in."""
    held: dict[Node, str] = {}
    code = getattr(function, "__code__", None)

    def look(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code is not code:
            return None
        for name, value in frame.f_locals.items():
            if isinstance(value, Node):
                held.setdefault(value, name)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield held
    finally:
        sys.settrace(before)


def _leaves(node: Node) -> list[Node]:
    return [x for x in node.inputs if x.op is None]


def _of_nodes(outputs: list[Node]) -> Record:
    """The source of a graph: the lines of one file that made its nodes; of several files, that of the last node."""
    nodes = topological_order(*outputs)
    inputs = [node for node in nodes if isinstance(node, Variable)]
    made = [node.line for node in nodes if node.line is not None and not isinstance(node, Variable)]
    file = made[-1].file if made else ""
    numbers = sorted({line.number for line in made if line.file == file})
    source = [(number, linecache.getline(file, number).rstrip()) for number in numbers]
    title = ", ".join(node.name or "f" for node in outputs)
    return Record(outputs, inputs, title, source, file)
