"""Trace tables as text and as HTML.

A long table shows only its ends. Consecutive rows from one run of one program line share the
cell with this line; contributions of one node to several adjoints share the cell with its value.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minigrad_course.trace.style import HTML, TEXT, Style, value_text

if TYPE_CHECKING:
    from minigrad_course.trace.trace_table import Row, Table

LONGEST_LINE = 48  # characters of a program line
MOST_SEEDS = 6  # in a caption


@dataclass
class Line:
    """A displayed row. lines, nodes: the number of rows that its cells for the program line and for the value span."""

    row: Row
    lines: int = 1
    nodes: int = 1


def joined(rows: Sequence[Row]) -> list[Line]:
    """Join cells of rows that belong together: the first row has the cell, the others span 0."""
    lines: list[Line] = []
    line_head = node_head = None
    for row in rows:
        before = lines[-1].row if lines else None
        part = Line(row)
        if before is not None and line_head is not None and row.line is not None and row.run == before.run:
            part.lines = 0
            line_head.lines += 1
        else:
            line_head = part
        operation = before is not None and row.kind == before.kind == "operation"
        if before is not None and node_head is not None and operation and row.node is before.node:
            part.nodes = 0
            node_head.nodes += 1
        else:
            node_head = part
        lines.append(part)
    return lines


def ends(rows: Sequence[Row], most: int | None) -> Iterator[Line | int]:
    """Yield the rows to show, and in place of the omitted ones their number."""
    if most is None or len(rows) <= most:
        yield from joined(rows)
        return
    first, last = (most + 1) // 2, most // 2
    yield from joined(rows[:first])
    yield len(rows) - first - last
    yield from joined(rows[len(rows) - last :])


def left_out(number: int, table: Table) -> str:
    return f"... {number:,} of {len(table.rows):,} rows are not shown ..."


def headings(table: Table) -> list[str]:
    """Return the columns' headings; the last, for notes, only if there are any."""
    derivative = "tangent trace ↓" if table.mode == "forward" else "adjoint trace ↑"
    notes = ["note"] if any(row.note for row in table.rows) else []
    return ["program line", "primal trace ↓", derivative, *notes]


def caption(table: Table, style: Style) -> str:
    """Describe the table, with the seeds in the style."""
    seeds = [f"{style.symbol(x.name, x.accent)} = {style.number(value_text(x.value))}" for x in table.start]
    if len(seeds) > MOST_SEEDS:
        seeds = [*seeds[:MOST_SEEDS], "and so on"]
    how = "" if table.mode == "forward" else ". Values are read downwards, adjoints upwards"
    return f"{table.mode.capitalize()} trace of {style.text(table.trace.title)}, seed {', '.join(seeds)}{how}"


def place(row: Row) -> str:
    """Return the program line, cut if it is long, or the label in its place."""
    if row.line is None:
        return row.label
    source = row.source or f"line {row.line.number}"
    return source if len(source) <= LONGEST_LINE else source[: LONGEST_LINE - 1] + "…"


def derivative(row: Row, style: Style) -> str:
    return row.derivative.line(style) if row.derivative else ""


def text(table: Table, most: int | None) -> str:
    heads = headings(table)
    cells = [heads]
    for part in ends(table.rows, most):
        if isinstance(part, int):
            cells.append([left_out(part, table)])
        else:
            row = part.row
            line, primal = place(row) if part.lines else "", str(row.primal) if part.nodes else ""
            cells.append([line, primal, derivative(row, TEXT), row.note][: len(heads)])
    # The line for the omitted rows spans all columns without widening any.
    widths = [max(_width(row[k]) for row in cells if len(row) > 1) for k in range(len(heads))]
    lines = [
        " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in cells
    ]
    return "\n".join([caption(table, TEXT), "", lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])


def _width(text: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in text)


# The colours are the page's, and grey, so it fits light and dark pages. Styles stand at each element, because
# JupyterLab removes style sheets from notebooks that it does not trust.
_TABLE = "border-collapse: collapse; border: none; margin: 0; font-size: 13px; background: transparent"
_CAPTION = "caption-side: top; text-align: left; padding: 4px 0 8px 0; font-size: 13px"
_CELL = "text-align: left; vertical-align: top; padding: 3px 16px 3px 4px; background: transparent"
_HEAD = _CELL + "; white-space: nowrap; border-bottom: 2px solid gray"
_RULE = "; border-top: 1px solid rgba(128,128,128,0.4)"
_NOTE = "; font-style: italic; opacity: 0.8"
_CODE = "white-space: nowrap; background: transparent; padding: 0"
_ROW = "background: transparent"


def html_table(table: Table, most: int | None) -> str:
    heads = headings(table)
    lines = [f'<table style="{_TABLE}">', f'<caption style="{_CAPTION}">{caption(table, HTML)}</caption>', "<thead>"]
    columns = (f'<th scope="col" style="{_HEAD}">{head}</th>' for head in heads)
    lines += [f'<tr style="{_ROW}">{"".join(columns)}</tr>', "</thead>", "<tbody>"]
    for part in ends(table.rows, most):
        if isinstance(part, int):
            cell = f'<td colspan="{len(heads)}" style="{_CELL}{_RULE}{_NOTE}">{left_out(part, table)}</td>'
            lines.append(f'<tr style="{_ROW}">{cell}</tr>')
        else:
            lines.append(f'<tr style="{_ROW}">{"".join(_cells(part, len(heads)))}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>"])


def _cells(part: Line, columns: int) -> Iterator[str]:
    row, cell = part.row, _CELL + (_RULE if part.lines else "")
    if part.lines:
        text = html.escape(place(row))
        title = f' title="{html.escape(str(row.line))}"' if row.line else ""
        text = f'<code style="{_CODE}">{text}</code>' if row.line else text
        yield f'<th scope="row"{_span(part.lines)} style="{cell}; font-weight: normal"{title}>{text}</th>'
    if part.nodes:
        yield f'<td{_span(part.nodes)} style="{cell}">{row.primal.html}</td>'
    yield f'<td style="{cell}">{derivative(row, HTML)}</td>'
    if columns > 3:
        yield f'<td style="{cell}{_NOTE}">{html.escape(row.note)}</td>'


def _span(rows: int) -> str:
    return f' rowspan="{rows}"' if rows > 1 else ""
