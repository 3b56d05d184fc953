"""The trace as a program: a line of Python for each step forward and for each share back.

A formula is text with places in it: input_0_, input_1_ for the inputs, value_ for the value, adjoint_ for the adjoint.
Names put in give a line of the program, numbers what was computed.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable
from functools import lru_cache

from minigrad.graph import Node, adjoints
from minigrad.rules import Rule, substitute
from minigrad_course.viz.explore.record import Record, is_number
from minigrad_course.viz.explore.walk import Event, Rules, Share, walks

PLACE = re.compile(r"\b(input_(\d+)|value|adjoint)_\b")


def forward_formula(node: Node) -> str:
    """How a node is computed, with places for its inputs."""
    assert node.op is not None
    return node.op.text(*(f"input_{i}_" for i in range(len(node.inputs))))


def share_formula(share: Share) -> str:
    """What is passed on: the adjoint times the partial derivative, as the derivative table has it."""
    node, i = share.source, share.place
    assert node.op is not None
    if isinstance(node.op, Rule):
        last = node.inputs[-1]
        return _from_the_table(node.op, i, float(last._value) if is_number(last) else None)
    inputs = ", ".join(f"input_{k}_" for k in range(len(node.inputs)))
    return f"{node.op.name}.vjp({i}, adjoint_, {inputs})"


@lru_cache(maxsize=1024)
def _from_the_table(rule: Rule, i: int, last: float | None) -> str:
    """last: the last input where it is a constant number, such as the 3 of x**3."""
    places = {name: f"input_{k}_" for k, name in enumerate(rule.inputs)} | {"v": "value_"}
    partial = substitute(rule.partials[i], places)
    if partial in ("1", "-1"):
        return partial.replace("1", "adjoint_")
    tree = ast.parse(f"adjoint_ * ({partial})", mode="eval")
    return ast.unparse(_PlainPowers(places[rule.inputs[-1]], last).visit(tree))


class _PlainPowers(ast.NodeTransformer):
    """scaled_power(3, a, 3 - 1) as one would write it: 3 a**2. The exponent, `place`, is the number `power`."""

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
    """The formula with `put(place)` for each place, such as put("input_0_")."""
    return PLACE.sub(lambda found: put(found[0]), formula)


def node_at(place: str, node: Node) -> Node:
    """Which node a place of a formula of `node` stands for: one of its inputs, or itself."""
    return node.inputs[int(place[6:-1])] if place.startswith("input_") else node


def identifiers(record: Record) -> dict[Node, str]:
    """What each node is called in a program: its name made a Python name, a constant its number."""
    taken: set[str] = set()
    found = {}
    for node in record.nodes:
        name = record.names[node]
        if is_number(node):
            found[node] = f"({name})" if name.startswith("-") else name
            continue
        name = re.sub(r"\W", "_", name) or "v"
        name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
        while name in taken:
            name += "_"
        taken.add(name)
        found[node] = name
    return found


def forward_line(node: Node, called: dict[Node, str]) -> str:
    return f"{called[node]} = {filled(forward_formula(node), lambda place: called[node_at(place, node)])}"


def event_line(event: Event, called: dict[Node, str], add: bool, cleared: list[Node]) -> str:
    """The line of the reverse program that an event carries out; `cleared` are the adjoints that a reset sets to 0."""
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
    """The whole program, forward and then backward: (a line of Python, the node that it computes or whose adjoint)."""
    called = identifiers(record)
    lines = [(forward_line(node, called), node) for node in record.nodes if node.op is not None]
    for event in walks(record, Rules()):
        cleared = sorted(record.backwards(event.node), key=record.nodes.index) if event.kind == "reset" else []
        if line := event_line(event, called, True, cleared):
            lines.append((line, event.node))
    return lines


def compiled_lines(record: Record) -> list[tuple[str, int | None, Node | None]]:
    """What the compiler makes of values and derivatives: (a line, its source line's number, whose adjoint it is)."""
    from minigrad.compiler.function import compile_graph  # brings numba along, so not before somebody asks

    derivatives = [a for y in record.outputs if y in record.moving for a in adjoints(y, record.inputs)]
    text = compile_graph([*record.outputs, *derivatives], record.inputs).source
    by_name = {f"{record.names[x]}_bar": x for x in record.inputs}
    lines: list[tuple[str, int | None, Node | None]] = []
    number = None
    for line in text[text.index("def ") :].rstrip().splitlines():
        found = re.search(r"# .*\bline (\d+)", line)  # says where the lines below come from
        if found or re.search(r"# (--- )?(back|update)", line):  # of derivatives, only that they were asked for
            number = int(found[1]) if found and "# back" not in line else None
            line = line if "# back" not in line else f"{line[: line.index('#')]}# derivatives"
        name = re.match(r"\s*(\w+_bar)(_\d+)? =", line)
        lines.append((line, number, by_name.get(name[1]) if name else None))
    return lines
