"""Write the trace as a program: a line of Python for each forward step and for each share passed back.

A formula is text with placeholders: input_0_, input_1_ for the inputs, value_ for the value, adjoint_ for the adjoint.
Filled with names it is a line of the program, filled with numbers the computation.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable
from functools import lru_cache

from minigrad.core.graph import Node, adjoints
from minigrad.core.rules import Rule, substitute
from minigrad_course import short
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import Event, Rules, Share, walks

PLACE = re.compile(r"\b(input_(\d+)|value|adjoint)_\b")


def forward_formula(node: Node) -> str:
    """Return the formula of a node, with placeholders for its inputs."""
    assert node.op is not None
    return node.op.text(*(f"input_{i}_" for i in range(len(node.inputs))))


def share_formula(share: Share) -> str:
    """Return the formula of a share: the adjoint times the partial derivative from the derivative table."""
    node, i = share.source, share.place
    assert node.op is not None
    if isinstance(node.op, Rule):
        last = node.inputs[-1]
        return _from_the_table(node.op, i, float(last._value) if short.is_literal(last) else None)
    inputs = ", ".join(f"input_{k}_" for k in range(len(node.inputs)))
    return f"{node.op.name}.vjp({i}, adjoint_, {inputs})"


@lru_cache(maxsize=1024)
def _from_the_table(rule: Rule, i: int, last: float | None) -> str:
    """Return a partial derivative. last: the last input if it is a constant number, such as the 3 of x**3."""
    places = {name: f"input_{k}_" for k, name in enumerate(rule.inputs)} | {"v": "value_"}
    partial = substitute(rule.partials[i], places)
    if partial in ("1", "-1"):
        return partial.replace("1", "adjoint_")
    tree = ast.parse(f"adjoint_ * ({partial})", mode="eval")
    return ast.unparse(_PlainPowers(places[rule.inputs[-1]], last).visit(tree))


class _PlainPowers(ast.NodeTransformer):
    """Write scaled_power(3, a, 3 - 1) as 3 a**2. `place` is the exponent, `power` its number."""

    def __init__(self, place: str, power: float | None):
        self.place, self.power = place, power

    def visit_Call(self, call: ast.Call) -> ast.AST:
        if getattr(call.func, "id", "") != "scaled_power" or self.power is None:
            return self.generic_visit(call)
        factor, base = (ast.unparse(x).replace(self.place, f"{self.power:g}") for x in call.args[:2])
        powers = {1.0: "", 2.0: f" * {base}"}
        slope = factor + powers.get(self.power, f" * {base} ** {self.power - 1:g}")
        return ast.parse(slope, mode="eval").body


def filled(formula: str, put: Callable[[str], str]) -> str:
    """Substitute `put(place)`, such as put("input_0_"), for each placeholder of the formula."""
    return PLACE.sub(lambda match: put(match[0]), formula)


def node_at(place: str, node: Node) -> Node:
    """Return the node that a placeholder in the formula of `node` stands for: an input, or the node itself."""
    return node.inputs[int(place[6:-1])] if place.startswith("input_") else node


def identifiers(record: Record) -> dict[Node, str]:
    """Name each node for the program: a valid Python name, or a constant's number."""
    taken: set[str] = set()
    names = {}
    for node in record.nodes:
        name = record.names[node]
        if short.is_literal(node):
            names[node] = f"({name})" if name.startswith("-") else name
            continue
        name = re.sub(r"\W", "_", name) or "v"
        name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
        while name in taken:
            name += "_"
        taken.add(name)
        names[node] = name
    return names


def forward_line(node: Node, called: dict[Node, str]) -> str:
    return f"{called[node]} = {filled(forward_formula(node), lambda place: called[node_at(place, node)])}"


def event_line(event: Event, called: dict[Node, str], add: bool, cleared: list[Node]) -> str:
    """Write the line that performs an event; `cleared` are the adjoints that a reset sets to 0."""
    if event.kind == "reset":
        return f"{' = '.join(f'{called[node]}_bar' for node in cleared)} = 0"
    if event.kind == "seed":
        return f"{called[event.node]}_bar = 1"
    if event.kind == "done" or event.share is None:
        return ""
    source = event.share.source

    def put(place: str) -> str:
        return f"{called[source]}_bar" if place == "adjoint_" else called[node_at(place, source)]

    return f"{called[event.node]}_bar {'+=' if add else '='} {filled(share_formula(event.share), put)}"


def program_lines(record: Record) -> list[tuple[str, Node]]:
    """Write the program, forward and then backward, as (line of Python, node that it computes or whose adjoint)."""
    called = identifiers(record)
    lines = [(forward_line(node, called), node) for node in record.nodes if node.op is not None]
    for event in walks(record, Rules()):
        cleared = sorted(record.backwards(event.node), key=record.nodes.index) if event.kind == "reset" else []
        if line := event_line(event, called, True, cleared):
            lines.append((line, event.node))
    return lines


def compiled_lines(record: Record) -> list[tuple[str, int | None, Node | None]]:
    """Compile values and derivatives; return (line, number of its source line, node whose adjoint it is)."""
    from minigrad.compiler.function import compile_graph  # imports the compiler, so only on demand
    from minigrad.compiler.origins import FORWARD
    from minigrad.compiler.text import wrapped

    derivatives = [a for y in record.outputs if y in record.moving for a in adjoints(y, record.inputs)]
    program = compile_graph([*record.outputs, *derivatives], record.inputs).program
    by_name = {f"{record.names[x]}_bar": x for x in record.inputs}
    lines: list[tuple[str, int | None, Node | None]] = []
    number = None
    for line in program.lines[1:]:
        if line.heading and line.part and line.part.phase != FORWARD:
            number = None
        elif line.part and not line.heading:  # a comment, which names the source of the lines below
            number = line.part.number
            if number is None:  # of derivatives, only the request for them
                lines.append((f"{'    ' * line.indent}# derivatives", None, None))
                continue
        name = line.sets if line.sets in by_name else line.sets.rstrip("0123456789").removesuffix("_")
        lines += [(text, number, by_name.get(name)) for text in wrapped([str(line)])]
    return lines
