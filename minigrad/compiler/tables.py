"""Tables about a compiled step: its buffers, and the changes of each pass, as text and as tables in a notebook."""

from __future__ import annotations

from collections.abc import Sequence

from minigrad.compiler.memory import Buffer
from minigrad.compiler.text_table import Table


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
