"""Forward mode, for `explore`: a pass down the trace for each input, value and tangent side by side.

A pass fills a column of the Jacobian, where a walk back (`walk.py`) fills a row. There is no rule to leave out: a row
is ready when those above it are. An array is seeded as a whole, so its column is the sum of its entries' columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from minigrad.core.arrays import Array
from minigrad.core.graph import Node
from minigrad_course.trace import Row, Table
from minigrad_course.trace.style import Style
from minigrad_course.viz.explore.listing import code, forward_line, identifiers
from minigrad_course.viz.explore.record import Record
from minigrad_course.viz.explore.walk import number

SEED, STEP, DONE = 1, 2, 3  # kinds of events, numbered as those of a walk back, where a step is a share


def passes(record: Record) -> list[tuple[Node, Table]]:
    """Pair each input with the forward trace table of its own pass."""
    return [(x, record.trace.forward({record.trace.names[x]: 1.0})) for x in record.inputs]


def operations(record: Record, table: Table) -> list[Row]:
    """Return the operations' rows in the order of the record."""
    rows = {row.node: row for row in table.rows}
    return [rows[node] for node in record.nodes if node.op is not None]


def column(record: Record, table: Table) -> list[Any]:
    """Return the tangent of each output after a pass; 0 where nothing arrives."""
    tangents = {row.node: row.derivative_value for row in table.rows if row.derivative is not None}
    return [tangents.get(y, np.zeros(y.shape)) for y in dict.fromkeys(record.outputs)]


def steps_as_data(record: Record, place: Mapping[Node, int], style: Style) -> list[dict[str, Any]]:
    """Describe the step of each operation, the same in all passes except for the numbers."""
    steps, called = [], identifiers(record)
    for row in operations(record, passes(record)[0][1]):
        equation, k = row.derivative, place[row.node]
        steps.append(
            {
                "from": k,
                "to": k,
                "formula": equation.written(style, False) if equation else "",
                "text": equation.formula if equation else "",
                "code": [f"{called[row.node]}_dot", code(equation, record, called)] if equation else None,
            }
        )
    return steps


def events_as_data(record: Record, place: Mapping[Node, int], style: Style) -> list[list[Any]]:
    """List all passes as [kind, pass, node, step, substituted numbers, tangent, tangent, ""]; each ends with its
    column.
    """
    events: list[list[Any]] = []
    for count, (x, table) in enumerate(passes(record)):
        events.append([SEED, count, place[x], -1, "", "1", "1", ""])
        for step, row in enumerate(operations(record, table)):
            equation = row.derivative
            amount = shown(equation.value) if equation else ""
            numbers = equation.written(style, True) if equation else ""
            events.append([STEP, count, place[row.node], step, numbers, amount, amount, ""])
        entries = [shown(tangent) for tangent in column(record, table)]
        events.append([DONE, count, place[x], -1, "", entries, [False] * len(entries), ""])
    return events


def program_lines(record: Record) -> list[str]:
    """Write one pass as a program: a line of Python for the value and the tangent of each operation."""
    called = identifiers(record)
    lines = []
    for row in operations(record, passes(record)[0][1]):
        lines.append(forward_line(row.node, called))
        if row.derivative is not None:
            lines.append(f"{called[row.node]}_dot = {code(row.derivative, record, called)}")
    return lines


def shown(x: Array) -> str:
    """Format a number as all views show it; negative zero as 0."""
    return number(np.asarray(x) + 0.0)
