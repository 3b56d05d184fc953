"""The Jacobian, filled pass by pass: a column in each forward pass, a row in each reverse pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad_course.trace.derive import forward_table, reverse_table
from minigrad_course.trace.style import BAR, DOT, HTML, TEXT, Style, number_text

SHOWN = 8  # passes
LARGEST = 12  # rows or columns of a matrix that is shown in full

_TABLE = "display: inline-table; border-collapse: collapse; border: none; margin: 0 32px 16px 0; font-size: 13px"
_CAPTION = "caption-side: top; text-align: left; font-size: 13px"
_CELL = "text-align: right; padding: 3px 10px; background: transparent"
_NEW = "; border: 2px solid gray"
_ROW = "background: transparent"

if TYPE_CHECKING:
    from minigrad_course.trace.trace_table import Table
    from minigrad_course.trace.tracer import Trace


@dataclass(eq=False)
class Pass:
    """One pass. number: which one, from 0; name: its input (forward) or output (reverse); table: its trace table.

    matrix: the Jacobian after it, with nan for unknown entries.
    """

    number: int
    name: str
    matrix: np.ndarray
    table: Table


class Jacobian:
    """d output / d input, by single numbers: a row for each of `output_names`, a column for each of `input_names`.

    mode: "forward" or "reverse". passes: see `Pass`. matrix: the full one, after the last pass.
    """

    def __init__(self, trace: Trace, mode: str, passes: list[Pass]):
        self.trace, self.mode, self.passes = trace, mode, passes

    @property
    def matrix(self) -> np.ndarray:
        return self.passes[-1].matrix

    def __str__(self) -> str:
        """Write the matrix after each pass, with dots for unknown entries."""
        return "\n\n".join([self._title(TEXT), *(self._text(p) for p in self._shown())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        matrices = "".join(self._html(p) for p in self._shown())
        return f'<p style="font-size: 13px">{self._title(HTML)}</p>\n<div>{matrices}</div>'

    def _title(self, style: Style) -> str:
        what = "column" if self.mode == "forward" else "row"
        hidden = len(self.passes) - len(self._shown())
        middle = f"; {hidden} of them, in the middle, are not shown" if hidden else ""
        passes = "pass" if len(self.passes) == 1 else "passes"
        title = style.text(self.trace.title)
        return f"Jacobian of {title} in {self.mode} mode: {len(self.passes)} {passes}, a {what} in each{middle}"

    def _shown(self) -> list[Pass]:
        return self.passes if len(self.passes) <= SHOWN else [*self.passes[: SHOWN - 1], self.passes[-1]]

    def _corners(self) -> tuple[list[int], list[int]]:
        """Return the rows and columns to show: the first ones and the last."""
        rows, columns = (list(range(n)) if n <= LARGEST else [*range(LARGEST - 1), n - 1] for n in self.matrix.shape)
        return rows, columns

    def _text(self, p: Pass) -> str:
        rows, columns = self._corners()
        cells = [["", *(self.trace.input_names[j] for j in columns)]]
        cells += [[self.trace.output_names[i], *(_entry(p.matrix[i, j]) for j in columns)] for i in rows]
        widths = [max(len(row[k]) for row in cells) for k in range(len(columns) + 1)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self._heading(p, TEXT), *lines])

    def _heading(self, p: Pass, style: Style) -> str:
        seed = style.symbol(p.name, DOT if self.mode == "forward" else BAR)
        return f"pass {p.number + 1}: {seed} = 1"

    def _html(self, p: Pass) -> str:
        rows, columns = self._corners()
        names, outputs = self.trace.input_names, self.trace.output_names
        head = "".join(f'<th scope="col" style="{_CELL}">{HTML.symbol(names[j], "")}</th>' for j in columns)
        lines = [f'<tr style="{_ROW}"><td style="{_CELL}"></td>{head}</tr>']
        for i in rows:
            cells = ""
            for j in columns:
                new = p.number == (j if self.mode == "forward" else i)
                number = HTML.number(_entry(p.matrix[i, j]))
                cells += f'<td style="{_CELL}{_NEW if new else ""}">{f"<b>{number}</b>" if new else number}</td>'
            lines.append(
                f'<tr style="{_ROW}"><th scope="row" style="{_CELL}">{HTML.symbol(outputs[i], "")}</th>{cells}</tr>'
            )
        caption = f'<caption style="{_CAPTION}">{self._heading(p, HTML)}</caption>'
        return f'<table style="{_TABLE}">{caption}<tbody>{"".join(lines)}</tbody></table>'


def _entry(x: float) -> str:
    return "·" if np.isnan(x) else number_text(x)


def jacobian(trace: Trace, mode: str | None) -> Jacobian:
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f'jacobian knows mode="forward" and mode="reverse", got {mode!r}')
    rows, columns = trace.output_names, trace.input_names
    if mode is None:
        mode = "forward" if len(columns) <= len(rows) else "reverse"
    matrix = np.full((len(rows), len(columns)), np.nan)
    passes = []
    for k, name in enumerate(columns if mode == "forward" else rows):
        if mode == "forward":
            table = forward_table(trace, k)
            tangents = {row.node: row.derivative_value for row in table.rows if row.derivative}
            matrix[:, k] = _flat([tangents.get(y, np.zeros(y.shape)) for y in trace.outputs])
        else:
            table = reverse_table(trace, k)
            adjoints = {row.node: row.derivative_value for row in table.rows if row.kind == "input"}
            matrix[k] = _flat([adjoints[x] for x in trace.inputs])
        passes.append(Pass(k, name, matrix.copy(), table))
    return Jacobian(trace, mode, passes)


def _flat(parts: list[Any]) -> np.ndarray:
    return np.concatenate([np.ravel(part) for part in parts])
