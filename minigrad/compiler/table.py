"""What a compiled step says about itself: its buffers, and what each pass did, as text and as tables in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minigrad.compiler.memory import Buffer
from minigrad.table import Table


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
