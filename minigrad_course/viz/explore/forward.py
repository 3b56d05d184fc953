"""Forward mode, for `explore`: a pass down the trace for each input, value and tangent side by side.

A pass fills a column of the Jacobian, where a walk back (`walk.py`) fills a row. There is no rule to leave out: a row
is ready when those above it are. An array is seeded as a whole, so its column is the sum of its entries' columns.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad.graph import Node
from minigrad_course.trace import Equation, Row, Table
from minigrad_course.trace.style import Style
from minigrad_course.trace.template import put
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import number

SEED, STEP, DONE = 1, 2, 3  # kinds of events, numbered as those of a walk back, where a step is a share


def passes(record: Record) -> list[tuple[Node, Table]]:
    """Each input, and the forward trace table of its own pass."""
    return [(x, record.trace.forward({record.trace.names[x]: 1.0})) for x in record.inputs]


def operations(record: Record, table: Table) -> list[Row]:
    """The rows of the operations, in the order of the record."""
    rows = {row.node: row for row in table.rows}
    return [rows[node] for node in record.nodes if node.op is not None]


def column(record: Record, table: Table) -> list[Any]:
    """What a pass found: the tangent of each output; 0 where nothing arrives."""
    found = {row.node: row.derivative_value for row in table.rows if row.derivative is not None}
    return [found.get(y, np.zeros(y.shape)) for y in dict.fromkeys(record.outputs)]


def told_steps(record: Record, place: Mapping[Node, int], style: Style) -> list[dict[str, Any]]:
    """The step of each operation, as the story tells it: the same in all passes, but for the numbers."""
    told = []
    for row in operations(record, passes(record)[0][1]):
        equation, k = row.derivative, place[row.node]
        told.append(
            {
                "from": k,
                "to": k,
                "formula": equation.written(style, False) if equation else "",
                "text": equation.formula if equation else "",
                "code": [f"{identifier(row.name)}_dot", code(equation)] if equation else None,
            }
        )
    return told


def told_events(record: Record, place: Mapping[Node, int], style: Style) -> list[list[Any]]:
    """All passes as [kind, pass, node, step, numbers put in, tangent, tangent, ""]; at an end with the whole column."""
    events: list[list[Any]] = []
    for count, (x, table) in enumerate(passes(record)):
        events.append([SEED, count, place[x], -1, "", "1", "1", ""])
        for step, row in enumerate(operations(record, table)):
            found = row.derivative
            amount = shown(found.value) if found else ""
            numbers = found.written(style, True) if found else ""
            events.append([STEP, count, place[row.node], step, numbers, amount, amount, ""])
        entries = [shown(tangent) for tangent in column(record, table)]
        events.append([DONE, count, place[x], -1, "", entries, [False] * len(entries), ""])
    return events


def program_lines(record: Record) -> list[str]:
    """One pass as a program: value and tangent of each operation, a line of Python for each."""
    from minigrad_course.viz.explore.program import forward_line, identifiers

    called = identifiers(record)
    lines = []
    for row in operations(record, passes(record)[0][1]):
        lines.append(forward_line(row.node, called))
        if row.derivative is not None:
            lines.append(f"{identifier(row.name)}_dot = {code(row.derivative)}")
    return lines


def code(equation: Equation) -> str:
    """The right side of a tangent's equation, as Python writes it."""
    if equation.template is None:
        return "0"
    names: dict[str, ast.expr] = {}
    for name, symbol in equation.symbols.items():
        word = ast.Name(identifier(symbol.name) + "_dot" * bool(symbol.accent))
        names[name] = ast.Name(number(symbol.value)) if symbol.fixed else word
    text = ast.unparse(put(equation.template, names))
    return re.sub(r"\(([\d.]+) - 1\)", lambda found: number(float(found[1]) - 1), text)  # the exponent in x**3's rule


def identifier(name: str) -> str:
    """A name of the trace as a name of Python: p['w'] is p_w."""
    return re.sub(r"\W+", "_", name).strip("_") or "v"


def shown(x: Any) -> str:
    """A number as all views show it; a 0 that is negative as 0."""
    return number(np.asarray(x) + 0.0)
