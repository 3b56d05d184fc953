"""Trace tables: the rows as data. show.py displays them."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from minigrad.core.errors import Line
from minigrad.core.graph import Node
from minigrad_course.trace import show
from minigrad_course.trace.formula import Equation, Symbol

if TYPE_CHECKING:
    from minigrad_course.trace.tracer import Trace

SHOWN = 60  # rows


@dataclass(eq=False)
class Row:
    """One row of a trace table.

    kind: "input", "constant" (data from outside), "operation", or, in the reverse table, "output" (a seed).
    label: shown instead of a program line where there is none: "input", "output a".
    line: the program line that made the node; None for inputs and constants. source: its text.
    run: counts the runs of program lines; rows with the same number come from one run of one line.
    node, name: the node and its name in the table. primal: its equation, v2 = x1·x2 = 3·4 = 12.
    derivative: the equation of a tangent or adjoint; None where there is none. In the forward table it belongs to
    `node`; in the reverse table it is the share that `node` passes to `target`, one of its inputs.
    step: the order of computing derivatives, which goes down the forward table and up the reverse table.
    note: "seed", "decided: true", ...; parts are separated by "; ".

    The parts of the equations are primal_formula ("x1·x2"), primal_value (12.0), derivative_formula, derivative_value,
    and derivative_total (after "+=", the sum).
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
        """Return the text of the program line, or "" if unavailable."""
        if self.line is None:
            return ""
        linecache.checkcache(self.line.file)  # it may have been edited and reloaded
        return linecache.getline(self.line.file, self.line.number).strip()

    @property
    def primal_formula(self) -> str:
        return self.primal.formula

    @property
    def primal_value(self) -> Any:
        return self.primal.value

    @property
    def derivative_formula(self) -> str:
        return self.derivative.formula if self.derivative else ""

    @property
    def derivative_value(self) -> Any:
        return self.derivative.value if self.derivative else None

    @property
    def derivative_total(self) -> Any:
        return self.derivative.total if self.derivative else None


class Table:
    """A trace table. In a notebook it shows itself; print() writes it as text.

    rows: from the first to the last, see `Row`. mode: "forward" or "reverse". start: the seeds. trace: of which run.
    """

    def __init__(self, rows: Sequence[Row], mode: str, start: Sequence[Symbol], trace: Trace):
        self.rows, self.mode, self.start, self.trace = list(rows), mode, tuple(start), trace
        if mode == "forward":
            for step, row in enumerate(self.rows):
                row.step = step

    @cached_property
    def derivatives(self) -> dict[str, Any]:
        """Return the tangent or adjoint of each node by name, all contributions added up."""
        names = self.trace.names
        totals: dict[str, Any] = {}
        for row in sorted(self.rows, key=lambda row: row.step):
            if row.derivative is not None:
                total = row.derivative_total
                totals[names[row.target]] = row.derivative_value if total is None else total
        return totals

    def slips(self, printed: Sequence[tuple[str, float | None, float | None]]) -> list[str]:
        """Find the mistakes in a table of single numbers that was printed or filled in by hand: a sentence for each.

        printed: for each computed value, in the order of the program, (formula, value, tangent or adjoint), such as
        ("x1 * x2", 12, 1); None for an omitted number. Four correct digits are enough.
        """
        from minigrad_course.trace.printed_tables import slips

        return slips(self, printed)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, k: int) -> Row:
        return self.rows[k]

    def text(self, most: int | None = SHOWN) -> str:
        """Return aligned text. most: the number of rows to show, leaving out the middle. None: all of them."""
        return show.text(self, most)

    def html(self, most: int | None = SHOWN) -> str:
        """Return a table that needs no style sheet and no network. most: see `text`."""
        return show.html_table(self, most)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()
