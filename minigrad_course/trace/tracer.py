"""Run a function once and record it: nodes in program order, names, lines, decisions."""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minigrad.core.arrays import ArrayLike, Tree
from minigrad.core.errors import Line, is_internal, learner_line
from minigrad.core.node import Constant, Node, Variable, on_decision, on_new_operator
from minigrad.core.operation import Operation, Traced, plain
from minigrad.core.tree import flatten
from minigrad_course.short import is_literal
from minigrad_course.trace.formula import Symbol

if TYPE_CHECKING:
    from minigrad_course.trace.jacobian import Jacobian
    from minigrad_course.trace.seed import Choice
    from minigrad_course.trace.trace_table import Table


class Input(Variable):
    """An argument of a traced function."""

    __slots__ = ()

    def __index__(self) -> int:
        raise TypeError(
            f"{self.name} is followed through the trace, so it cannot count the turns of a loop or be an index. "
            f"Give it by its name: trace(f, ..., {self.name}={self._value!s}) hands it on as it is"
        )


class Decision(NamedTuple):
    """An `if`, `while`, `and`, ... on a traced value: the node, the branch taken, and its line."""

    node: Node
    went: bool
    line: Line | None


class Trace:
    """One run of a function. Made by `trace`.

    inputs, outputs: nodes, one for each number or array in the arguments and in the returned value. value: the returned
    value, as numbers. nodes: all nodes in program order; existing ones, such as weights, after the inputs. names: of
    all nodes. decisions: branches on a traced value. input_names, output_names: of single numbers, the columns and rows
    of the Jacobian.
    """

    def __init__(
        self,
        inputs: Sequence[Node],
        outputs: Sequence[Node],
        value: object,
        made: Mapping[Node, int],
        decisions: Sequence[Decision],
        title: str,
        variables: Sequence[str | None],
    ):
        """made: the operators in the order in which they were made, each with its run (see `_Runs`).

        variables: the function's own names for its outputs, if any.
        """
        self.inputs, self.outputs, self.value, self.title = tuple(inputs), tuple(outputs), value, title
        self.decisions = tuple(decisions)
        self.runs = dict(made)  # for each operator, the run of a program line that made it
        self.nodes = _program_order(self.inputs, self.outputs, made, [d.node for d in decisions])
        self.names = _names(self.nodes, self.inputs)
        self.variables = tuple(variables)

    @cached_property
    def moving(self) -> frozenset[Node]:
        """The inputs and all that depends on them: the nodes with a derivative."""
        moved = set(self.inputs)
        for node in self.nodes:
            if any(x in moved for x in node.inputs):
                moved.add(node)
        return frozenset(moved)

    @cached_property
    def symbols(self) -> dict[Node, Symbol]:
        """Return each node's symbol in formulas: its name and value."""
        return {x: Symbol(name, "", plain(x._value), is_literal(x)) for x, name in self.names.items()}

    @cached_property
    def parts(self) -> dict[Node, list[Operation]]:
        """Map an operation with several results in one array, such as scan, to the operations that extract one."""
        extracted: dict[Node, list[Operation]] = {}
        for node in self.nodes:
            if node.op is not None and node.op.part is not None:
                extracted.setdefault(node.inputs[0], []).append(node.op)
        return extracted

    @cached_property
    def decided(self) -> dict[Node, list[Decision]]:
        """Return the decisions on each node."""
        decisions: dict[Node, list[Decision]] = {}
        for decision in self.decisions:
            decisions.setdefault(decision.node, []).append(decision)
        return decisions

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        return tuple(itertools.chain(*(_entries(self.names[x], x.shape) for x in self.inputs)))

    @cached_property
    def output_names(self) -> tuple[str, ...]:
        called = [name or self.names[y] for name, y in zip(self.variables, self.outputs, strict=True)]
        if len(set(called)) < len(called):
            called = [f"{name}[{k}]" for k, name in enumerate(called)]
        return tuple(itertools.chain(*(_entries(name, y.shape) for name, y in zip(called, self.outputs, strict=True))))

    def forward(self, seed: Choice = 0) -> Table:
        """Return the forward trace table: program line, value, tangent.

        seed: the direction in which the inputs move. A number k or a name: that input alone, at speed 1. A list or
        array with an entry for each of `input_names`. A dict from names to speeds; the others stand still.
        """
        from minigrad_course.trace.derive import forward_table

        return forward_table(self, seed)

    def reverse(self, output: Choice = 0) -> Table:
        """Return the reverse trace table: program line, value, and each contribution to an adjoint, to be read upwards.

        output: the function to differentiate. A number k or a name: that output. A list or array of weights, one for
        each of `output_names`, or a dict from names to weights: the weighted sum.
        """
        from minigrad_course.trace.derive import reverse_table

        return reverse_table(self, output)

    def jacobian(self, mode: str | None = None) -> Jacobian:
        """The Jacobian, pass by pass: mode="forward" fills a column in each, "reverse" a row; None: the fewer."""
        from minigrad_course.trace.jacobian import jacobian

        return jacobian(self, mode)

    def __repr__(self) -> str:
        operators = sum(node.op is not None for node in self.nodes)
        return (
            f"<trace of {self.title}: {operators} operations, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"
        )


def trace(fn: Callable[..., Any], /, *args: Tree, **options: object) -> Trace:
    """Run `fn(*args, **options)` once and keep every step, for trace tables.

    fn: any Python function of numbers and arrays, with loops and branches. A branch on a traced value is decided by its
    value in this run, and the table shows the decision. args: numbers and float arrays, or tuples, lists and dicts of
    them, by which the function is differentiated. options: passed on as they are, such as the number of turns of a
    loop.

    Raises TypeError or ValueError, in a sentence, for arguments that are not numbers and for a function whose value
    does not depend on them.

    >>> f = mg.trace(lambda x, y: x * y + mg.sin(x), 3.0, 5.0)
    >>> f
    <trace of <lambda>: 3 operations, 2 inputs, 1 outputs>
    >>> table = f.reverse()  # at the end of a cell it shows itself
    """
    if not callable(fn):
        raise TypeError(f"trace needs a function and its arguments: trace(f, 3.0, 4.0); got a {type(fn).__name__}")
    title = getattr(fn, "__name__", type(fn).__name__)
    arguments, inputs = _open(fn, args, options)
    made: dict[Node, int] = {}
    decisions: list[Decision] = []
    before, runs = on_new_operator.get(), _Runs()

    def look(node: Node) -> None:
        made[node] = runs.number(node.line)
        if before is not None:
            before(node)

    def decide(node: Node) -> bool:
        if node._value.size != 1:
            raise ValueError(
                f"an `if` or `while` needs one truth value, and {node!r} has {node._value.size}. Take the sum, the "
                f"maximum or one entry, or choose entry by entry with mg.where. At {learner_line()}"
            )
        decisions.append(Decision(node, bool(node._value), learner_line()))
        return decisions[-1].went

    tokens = on_new_operator.set(look), on_decision.set(decide)
    try:
        returned = fn(*arguments, **options)
    finally:
        on_new_operator.reset(tokens[0])
        on_decision.reset(tokens[1])
        runs.last = ()  # release the frames
    leaves, rebuild = flatten(returned)
    outputs = [_output(y, title) for y in leaves]
    if not outputs:
        raise ValueError(f"{title} returned {returned!r}: there is nothing to differentiate. Is a `return` missing?")
    recorded = Trace(inputs, outputs, None, made, decisions, title, _called(fn, returned, len(outputs)))
    if not any(y in recorded.moving for y in outputs):
        raise ValueError(
            f"what {title} returned does not depend on its arguments: it has no traced value. Was a number taken out "
            "on the way, by .value or float(), or the wrong variable returned?"
        )
    recorded.value = rebuild([plain(y._value) for y in outputs])
    return recorded


def _open(fn: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> tuple[list[Any], list[Node]]:
    """Replace the numbers in the arguments by nodes; return both."""
    try:
        names = argument_names(fn, args, options)
    except TypeError as error:
        title = getattr(fn, "__name__", type(fn).__name__)
        raise TypeError(f"{title} cannot be called with these {len(args)} arguments: {error}") from None
    opened: list[Any] = []
    nodes: list[Node] = []
    for name, argument in zip(names, args, strict=True):
        leaves, rebuild = flatten(argument)
        called = [name] if rebuild(leaves) is argument or leaves == [argument] else _paths(name, argument)
        inputs = [_input(value, path) for value, path in zip(leaves, called, strict=True)]
        opened.append(rebuild(inputs))
        nodes += inputs
    if not nodes:
        raise ValueError(
            "there is nothing to differentiate by: give the function's arguments, as in trace(f, 3.0, 4.0)"
        )
    return opened, nodes


def argument_names(fn: Callable[..., Any], args: Sequence[Any], options: Mapping[str, Any]) -> list[str]:
    """Name the arguments as the function does; several of one parameter are numbered. Raises TypeError."""
    try:
        bound = inspect.signature(fn).bind(*args, **options)
    except ValueError:  # built in, without a signature
        return [f"x{k}" for k in range(1, len(args) + 1)]
    kinds = {name: parameter.kind for name, parameter in bound.signature.parameters.items()}
    names: list[str] = []
    for name, value in bound.arguments.items():  # those by position first
        several = kinds[name] is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}{k + 1}" for k in range(len(value))] if several else [name]
    return names[: len(args)]


def _paths(name: str, tree: Tree) -> list[str]:
    """Name the leaves of an argument that is a tuple, list or dict: x[0], x[1] or x['w']."""
    if isinstance(tree, dict):
        return [path for key, branch in tree.items() for path in _paths(f"{name}[{key!r}]", branch)]
    if isinstance(tree, tuple | list):
        return [path for key, branch in enumerate(tree) for path in _paths(f"{name}[{key}]", branch)]
    return [] if tree is None else [name]


def _input(value: ArrayLike, name: str) -> Input:
    if isinstance(value, Traced):
        raise TypeError(f"trace takes numbers, and {name} is a {type(value).__name__}. Give its .value")
    if isinstance(value, bool | np.bool_):
        raise TypeError(
            f"{name} is {value}, and there is no derivative by a truth value. Give it by its name: {name}={value}"
        )
    try:
        return Input(value, name)
    except (TypeError, ValueError) as error:
        hint = (
            f"{error}" if isinstance(value, np.ndarray | np.generic) else f"it is a {type(value).__name__}: {value!r}"
        )
        raise TypeError(
            f"trace follows numbers and arrays of numbers, and {name} is none: {hint}. Other arguments are given by "
            f"name: trace(f, ..., {name}=...)"
        ) from None


def _output(y: ArrayLike, title: str) -> Node:
    if isinstance(y, Node):
        return y
    try:
        return Constant(y)
    except (TypeError, ValueError):
        raise TypeError(
            f"{title} returned a {type(y).__name__} among its values; a trace is of numbers: {y!r}"
        ) from None


class _Runs:
    """Numbers the runs of program lines: in a loop a line runs repeatedly, with a row of the table for each run."""

    def __init__(self) -> None:
        self.count = 0
        self.last: tuple[Any, ...] = ()

    def number(self, line: Line | None) -> int:
        """Return the current run: the last one, or a new one if the program went to another line or back."""
        call: FrameType | None = None
        frame = sys._getframe(2)
        while frame.f_back is not None and is_internal(frame.f_code.co_filename):
            call, frame = frame, frame.f_back
        now = (frame, line, frame.f_lasti, call)
        same_line = self.last[:2] == now[:2]
        # The same line is a new run, unless it is still the same call, of a layer with several operations.
        if not same_line or self.last[2] > now[2] or (self.last[2] == now[2] and self.last[3] is not call):
            self.count += 1
        self.last = now
        return self.count


def _program_order(
    inputs: Sequence[Node], outputs: Sequence[Node], made: Mapping[Node, int], conditions: Sequence[Node]
) -> list[Node]:
    """Order the inputs, then existing nodes that are used, then new nodes in the order of their making."""
    wanted = {*outputs, *conditions}  # and all their ancestors, walking back
    for node in reversed(list(made)):
        if node in wanted:
            wanted.update(node.inputs)
    # Unused results belong to the program too. The cell that `scan` records does not: it starts from leaves that
    # nothing else reads.
    known = {*inputs}
    for node in made:
        if node in wanted or all(x in known or x in wanted or isinstance(x, Constant) for x in node.inputs):
            known.add(node)
    run = [node for node in made if node in known]
    before = [x for node in run for x in node.inputs if x not in made and not is_literal(x)]
    return list(dict.fromkeys([*inputs, *before, *run, *outputs]))


def _names(nodes: Sequence[Node], inputs: Sequence[Node]) -> dict[Node, str]:
    """Name inputs after their parameters, results v1, v2, ..., and arrays from outside c1, c2, ..."""
    names = {x: x.name or "x" for x in inputs}
    taken = set(names.values())
    numbers = {x: "" for node in nodes for x in node.inputs if is_literal(x)}
    computed = (f"v{k}" for k in itertools.count(1))
    constant = (f"c{k}" for k in itertools.count(1))
    for node in nodes:
        if node in names:
            continue
        name = node.name
        if not name or name in taken:
            name = next(n for n in (computed if node.op is not None else constant) if n not in taken)
        names[node] = name
        taken.add(name)
    return names | numbers


def _entries(name: str, shape: tuple[int, ...]) -> list[str]:
    if shape == ():
        return [name]
    return [f"{name}[{', '.join(map(str, place))}]" for place in np.ndindex(*shape)]


def _called(fn: Callable[..., Any], returned: object, count: int) -> list[str | None]:
    """Find the function's names for its returned values: keys, fields, or the variables in its `return`."""
    fields = list(returned) if isinstance(returned, dict) else list(getattr(returned, "_fields", ()))
    if len(fields) == count:
        return [str(field) for field in fields]
    unknown: list[str | None] = [None] * count
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    except (OSError, TypeError, SyntaxError, IndentationError):  # made by exec, built in, or part of a longer line
        return unknown
    ways = {tuple(_variables(node.value)) for node in ast.walk(tree) if isinstance(node, ast.Return)}
    names = ways.pop() if len(ways) == 1 else ()
    return list(names) if len(names) == count else unknown


def _variables(value: ast.expr | None) -> list[str | None]:
    parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
    return [part.id if isinstance(part, ast.Name) else None for part in parts]
