"""Tables: rows of cells under a head, as lines of text and as HTML for a notebook; and two about a compiled step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minigrad.compiler.memory import Buffer


def as_lines(rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust) -> list[str]:
    """Format the rows as lines of text with aligned columns."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(align(c, w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def as_html(head: Sequence[str], rows: Sequence[Sequence[str]], style: str = "", caption: str = "") -> str:
    """A table for a notebook. style: of each cell, as CSS. caption: HTML that stands above."""
    look = f' style="{style}"' if style else ""
    titles = "".join(f'<th scope="col"{look}>{escape(cell)}</th>' if cell else f"<td{look}></td>" for cell in head)
    lines = ["".join(f"<td{look}>{escape(cell)}</td>" for cell in row) for row in rows]
    return f"<table>{caption}<tr>{titles}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


class Table:
    """Rows of text with a head, and perhaps a note below."""

    head: tuple[str, ...] = ()
    align: Callable[..., str] = str.ljust

    def cells(self) -> list[Sequence[str]]:
        raise TypeError(f"{type(self).__name__} has no cells(), which it is shown by")

    def note(self) -> str:
        return ""

    def __repr__(self) -> str:
        lines = as_lines([self.head, *self.cells()], type(self).align)
        return "\n".join([*lines, *([self.note()] if self.note() else [])])

    def _repr_html_(self) -> str:
        note = f"<p>{escape(self.note())}</p>" if self.note() else ""
        return as_html(self.head, self.cells()) + note


class BufferTable(Table):
    """Every array that a program writes to. rows: as data, see `Buffer`; bytes: of all together."""

    head = ("buffer", "shape", "dtype", "bytes", "born", "dies", "shared with")

    def __init__(self, buffers: Sequence[Buffer]):
        self.rows = list(buffers)
        self.bytes = sum(row.bytes for row in self.rows)

    def cells(self) -> list[Sequence[str]]:
        return [
            (r.name, str(r.shape), str(r.dtype), f"{r.bytes:,}", str(r.born), str(r.dies), ", ".join(r.shared_with))
            for r in self.rows
        ]

    def note(self) -> str:
        return f"{self.bytes:,} bytes in {len(self.rows)} buffers"


class Report(Table):
    """The changes of each pass: (name, sentence)."""

    head = ("pass", "what it did")

    def __init__(self, rows: Sequence[tuple[str, str]]):
        self.rows = list(rows)

    def cells(self) -> list[Sequence[str]]:
        return list(self.rows)
