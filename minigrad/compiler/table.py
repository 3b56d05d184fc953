"""What a compiled step says about itself: its buffers, and what each pass did, as text and as tables in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from minigrad.compiler.memory import Buffer


@dataclass(frozen=True)
class BufferRow:
    """An array of a program. born, dies: the first and the last equation that need it, counted from 0."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    bytes: int
    born: int
    dies: int
    shared_with: tuple[str, ...]


class Table:
    """Rows of text with a head."""

    head: tuple[str, ...] = ()

    def cells(self) -> list[Sequence[str]]:
        raise TypeError(f"{type(self).__name__} has no cells(), which it is shown by")

    def note(self) -> str:
        return ""

    def __repr__(self) -> str:
        table = [self.head, *self.cells()]
        widths = [max(len(row[k]) for row in table) for k in range(len(self.head))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in table]
        return "\n".join([*lines, *([self.note()] if self.note() else [])])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)
        rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.cells()]
        note = f"<p>{escape(self.note())}</p>" if self.note() else ""
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>{note}"


class BufferTable(Table):
    """Every array that a program writes into. rows: as data; bytes: of all together."""

    head = ("buffer", "shape", "dtype", "bytes", "born", "dies", "shared with")

    def __init__(self, buffers: Sequence[Buffer]):
        others = [tuple(v.name for v in b.values if v.name != b.name) for b in buffers]
        self.rows = [
            BufferRow(b.name, b.shape, str(b.dtype), b.bytes, b.born, b.dies, shared)
            for b, shared in zip(buffers, others, strict=True)
        ]
        self.bytes = sum(row.bytes for row in self.rows)

    def cells(self) -> list[Sequence[str]]:
        return [
            (r.name, str(r.shape), r.dtype, f"{r.bytes:,}", str(r.born), str(r.dies), ", ".join(r.shared_with))
            for r in self.rows
        ]

    def note(self) -> str:
        return f"{self.bytes:,} bytes in {len(self.rows)} buffers"


class Report(Table):
    """What each pass did: (name, sentence)."""

    head = ("pass", "what it did")

    def __init__(self, rows: Sequence[tuple[str, str]]):
        self.rows = list(rows)

    def cells(self) -> list[Sequence[str]]:
        return list(self.rows)
