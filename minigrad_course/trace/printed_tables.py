"""Find the mistakes in a trace table that was printed or filled in by hand, line by line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from minigrad_course.trace.style import BAR, DOT, TEXT, number_text

if TYPE_CHECKING:
    from minigrad_course.trace.trace_table import Row, Table

Printed = tuple[str, float | None, float | None]


def slips(table: Table, printed: Sequence[Printed]) -> list[str]:
    """Return a sentence for each wrong entry of `printed`; none if all is right. See `Table.slips`."""
    rows = [row for k, row in enumerate(table.rows) if row.kind == "operation" and row.node is not _before(table, k)]
    if len(printed) != len(rows):
        raise ValueError(f"the table has a row for each of {len(rows)} values, and {len(printed)} were given")
    return [slip for k in range(len(rows)) for slip in _row(table, rows, k, printed[k])]


def _before(table: Table, k: int) -> object:
    return table.rows[k - 1].node if k and table.rows[k - 1].kind == "operation" else None


def _row(table: Table, rows: Sequence[Row], k: int, printed: Printed) -> Iterator[str]:
    text, value, derivative = printed
    row, accent = rows[k], DOT if table.mode == "forward" else BAR
    derivatives = table.derivatives
    if _bare(text) not in (_bare(row.primal_formula), _bare(row.source)):
        whose = [r.name for r in rows if _bare(text) == _bare(r.primal_formula)]
        origin = f", which is the formula of {_list(whose)}" if whose else ""
        yield f"row {k + 1}: the formula of {row.name} is {row.primal_formula}, and not {text}{origin}"
    if value is not None and not _same(value, row.primal_value):
        others = [r.name for r in rows if r is not row and _same(value, r.primal_value)]
        yield f"row {k + 1}: {row.primal}, and not {number_text(value)}{_belongs(others)}"
    if derivative is not None and not _same(derivative, right := derivatives.get(row.name, 0.0)):
        others = [
            TEXT.symbol(r.name, accent)
            for r in rows
            if r is not row and _same(derivative, derivatives.get(r.name, 0.0))
        ]
        name = TEXT.symbol(row.name, accent)
        yield f"row {k + 1}: {name} = {number_text(right)}, and not {number_text(derivative)}{_belongs(others)}"


def _bare(text: str) -> str:
    return "".join(text.replace("·", "*").split())


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-9)


def _belongs(names: Sequence[str]) -> str:
    return f", which belongs to {_list(names)}" if names else ""


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
