"""Write the trace as a program: a line of Python for each forward step and for each share passed back, or tangent."""

from __future__ import annotations

import ast
import keyword
import re

from minigrad.core.graph import Node, adjoints
from minigrad_course import short
from minigrad_course.trace import Equation
from minigrad_course.trace.template import put
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import Event, Rules, number, walks


def code(equation: Equation | None, record: Record, called: dict[Node, str]) -> str:
    """Write the right side of an equation of the trace in Python; 0 where it has no formula."""
    if equation is None or equation.template is None:
        return "0"
    named = {record.names[node]: name for node, name in called.items()}
    words = (part.id for part in ast.walk(equation.template) if isinstance(part, ast.Name))
    names: dict[str, ast.expr] = {
        word: ast.Name(re.sub(r"\W+", "_", word)) for word in words if " " in word
    }  # jvp of max
    for name, symbol in equation.symbols.items():
        word = number(symbol.value) if symbol.fixed else named[symbol.name]
        accent = {"dot": "_dot", "bar": "_bar"}.get(symbol.accent, "")
        names[name] = ast.Name(f"({word})" if word.startswith("-") else word + accent)
    text = ast.unparse(put(equation.template, names))
    return re.sub(r" \*\* \(\(?(-?[\d.]+)\)? - 1\)", _lower_power, text)


def _lower_power(match: re.Match[str]) -> str:
    """Write the exponent of the rule of x**3 as 2, that of x**2 not at all, and a negative one in brackets."""
    exponent = float(match[1]) - 1
    return "" if exponent == 1 else f" ** {number(exponent)}" if exponent > 0 else f" ** ({number(exponent)})"


def identifiers(record: Record) -> dict[Node, str]:
    """Name each node for the program: a valid Python name, or a constant's number."""
    taken: set[str] = set()
    names = {}
    for node in record.nodes:
        name = record.names[node]
        if short.is_literal(node):
            names[node] = f"({name})" if name.startswith("-") else name
            continue
        name = re.sub(r"\W+", "_", name).strip("_") or "v"
        name = f"_{name}" if name[0].isdigit() or keyword.iskeyword(name) else name
        while name in taken:
            name += "_"
        taken.add(name)
        names[node] = name
    return names


def forward_line(node: Node, called: dict[Node, str]) -> str:
    assert node.op is not None
    text = node.op.text(*(f"input_{i}_" for i in range(len(node.inputs))))
    return f"{called[node]} = " + re.sub(r"\binput_(\d+)_", lambda match: called[node.inputs[int(match[1])]], text)


def event_line(event: Event, record: Record, called: dict[Node, str]) -> str:
    """Write the line that performs an event."""
    if event.kind == "reset":
        cleared = sorted(record.backwards(event.node), key=record.nodes.index)
        return f"{' = '.join(f'{called[node]}_bar' for node in cleared)} = 0"
    if event.kind == "seed":
        return f"{called[event.node]}_bar = 1"
    if event.kind == "done" or event.share is None:
        return ""
    equation = record.equations[1][event.share.source, event.share.place]
    return f"{called[event.node]}_bar += {code(equation, record, called)}"


def program_lines(record: Record) -> list[tuple[str, Node]]:
    """Write the program, forward and then backward, as (line of Python, node that it computes or whose adjoint)."""
    called = identifiers(record)
    lines = [(forward_line(node, called), node) for node in record.nodes if node.op is not None]
    for event in walks(record, Rules()):
        if line := event_line(event, record, called):
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
