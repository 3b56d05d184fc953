"""Trace tables: rows for other programs, and the same rows as text, HTML, LaTeX or a pandas frame."""

from __future__ import annotations

import linecache
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minigrad.graph import Node
from minigrad.operation import Line
from minigrad.trace.formula import Equation
from minigrad.trace.style import TEXT, Style

if TYPE_CHECKING:
    from minigrad.trace.record import Trace

SHOWN = 60  # rows; of a longer table the first and last 30 are shown
LONGEST_LINE = 48  # characters of a program line


@dataclass(eq=False)
class Row:
    """One row of a trace table.

    kind: "input", "constant" (data from outside), "operation", or, in the reverse table, "output" (a seed).
    label: what stands in the place of a program line where there is none: "input", "output a".
    line: where the program made the node; None for inputs and constants. source: the text of this line.
    run: counts the runs of program lines; rows with the same number are the work of one run of one line.
    node, name: the node, and what it is called in the table. primal: its equation, v2 = x1·x2 = 3·4 = 12.
    derivative: the equation of a tangent or adjoint; None where there is none. In the forward table it belongs to
    `node`; in the reverse table it is what `node` passes on to `target`, one of its inputs.
    step: when the derivative is computed; counts downwards in the forward table, upwards in the reverse table.
    note: "seed", "decided: true", ...; parts are separated by "; ".

    The equations are taken apart by primal_formula ("x1·x2"), primal_numbers ("3·4"), primal_value (12.0), and
    derivative_name ("v̇2"), derivative_sign ("=" or "+="), derivative_formula, derivative_numbers, derivative_value,
    derivative_total (after "+=", the sum).
    """

    kind: str
    label: str
    line: Line | None
    run: int
    name: str
    node: Node
    primal: Equation
    target: Node
    derivative: Equation | None
    note: str
    step: int = 0

    @property
    def source(self) -> str:
        """The text of the program line; "" where there is none to be had."""
        return "" if self.line is None else linecache.getline(self.line.file, self.line.number).strip()

    @property
    def primal_formula(self) -> str:
        return self.primal.formula

    @property
    def primal_numbers(self) -> str:
        return self.primal.numbers

    @property
    def primal_value(self) -> Any:
        return self.primal.value

    @property
    def derivative_name(self) -> str:
        return TEXT.symbol(self.derivative.left.name, self.derivative.left.accent) if self.derivative else ""

    @property
    def derivative_sign(self) -> str:
        return self.derivative.sign if self.derivative else ""

    @property
    def derivative_formula(self) -> str:
        return self.derivative.formula if self.derivative else ""

    @property
    def derivative_numbers(self) -> str:
        return self.derivative.numbers if self.derivative else ""

    @property
    def derivative_value(self) -> Any:
        return self.derivative.value if self.derivative else None

    @property
    def derivative_total(self) -> Any:
        return self.derivative.total if self.derivative else None


@dataclass
class _Line:
    """A row as it is shown. `new`: the program line and the value are not those of the row above."""

    row: Row
    new_line: bool
    new_node: bool
    lines: int = 1  # over how many rows the cells with the program line and with the value reach
    nodes: int = 1


class Table:
    """A trace table. In a notebook it shows itself; print() writes it as text.

    rows: from the first to the last, see `Row`. mode: "forward" or "reverse". trace: what it is a table of.
    """

    def __init__(self, rows: Sequence[Row], mode: str, caption: str, trace: Trace):
        self.rows, self.mode, self.caption, self.trace = list(rows), mode, caption, trace
        if mode == "forward":
            for step, row in enumerate(self.rows):
                row.step = step

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, k: Any) -> Any:
        return self.rows[k]

    @property
    def headings(self) -> tuple[str, ...]:
        """What stands above the columns; the last, for notes, only where there are any."""
        derivative = "tangent trace ↓" if self.mode == "forward" else "adjoint trace ↑"
        return "program line", "primal trace ↓", derivative, *(("note",) if any(row.note for row in self.rows) else ())

    def __str__(self) -> str:
        """The table as aligned text."""
        headings = self.headings
        cells = [list(headings)]
        for shown in _shown(self.rows):
            if isinstance(shown, int):
                cells.append([f"... {shown:,} rows ..."])
            else:
                cells.append(
                    [_where(shown.row, shown.new_line), *_equations(shown, TEXT), shown.row.note][: len(headings)]
                )
        # The line that says what is left out goes over all columns, and widens none.
        widths = [max(_width(row[k]) for row in cells if len(row) > 1) for k in range(len(headings))]
        lines = [
            " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)).rstrip()
            for row in cells
        ]
        return "\n".join([self.caption, "", lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])

    def __repr__(self) -> str:
        return str(self)


def _where(row: Row, new: bool) -> str:
    if not new:
        return ""
    if row.line is None:
        return row.label
    source = row.source or f"line {row.line.number}"
    return source if len(source) <= LONGEST_LINE else source[: LONGEST_LINE - 1] + "…"


def _equations(shown: _Line, style: Style) -> list[str]:
    row = shown.row
    return [
        row.primal.line(style) if shown.new_node else "",
        row.derivative.line(style) if row.derivative else "",
    ]


def _shown(rows: Sequence[Row]) -> Iterator[_Line | int]:
    """The rows to be shown, and in the place of those left out their number."""
    if len(rows) > SHOWN:
        yield from _joined(rows[: SHOWN // 2])
        yield len(rows) - SHOWN // 2 * 2
        yield from _joined(rows[-(SHOWN // 2) :])
    else:
        yield from _joined(rows)


def _joined(rows: Sequence[Row]) -> list[_Line]:
    """Rows one below the other that share a program line, or a value."""
    found: list[_Line] = []
    line_head = node_head = None
    for before, row in zip([None, *rows[:-1]], rows, strict=True):
        same_line = before is not None and row.line is not None and row.run == before.run
        same_node = before is not None and row.node is before.node and row.kind == before.kind == "operation"
        shown = _Line(row, not same_line, not same_node)
        found.append(shown)
        if same_line and line_head:
            line_head.lines += 1
        else:
            line_head = shown
        if same_node and node_head:
            node_head.nodes += 1
        else:
            node_head = shown
    return found


def _width(text: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in text)
