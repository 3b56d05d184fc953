"""Tables that persons and spreadsheets read and write: CSV, and what becomes of it on the way.

A spreadsheet shows an umlaut right only in a file that starts with a mark of its encoding, and may give back a file
with semicolons, or in the encoding of its country. It takes a cell that starts with `=` for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from minigrad_course.grading.classroom.store import write_whole


def write(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write a table in one go, its header first."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_whole(path, f"\ufeff{text.getvalue()}")


def read(path: Path) -> list[list[str]]:
    """The rows of a table that have anything in them, their fields stripped. Raises OSError where there is none."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    first = text.lstrip("\r\n").partition("\n")[0]
    between = max(",;\t", key=first.count)
    rows = [[field.strip() for field in row] for row in csv.reader(io.StringIO(text), delimiter=between)]
    return [row for row in rows if any(row)]


def read_named(path: Path) -> list[dict[str, str]]:
    """The rows as dictionaries, by the names in the first one."""
    header, *rows = read(path) or [[]]
    return [dict(zip(header, [*row, *[""] * len(header)])) for row in rows]  # noqa: B905


def safe(text: str) -> str:
    """A text for a cell of a table: a spreadsheet shall not take it for a formula, nor a terminal for a command."""
    text = "".join(c if c.isprintable() else " " for c in text.encode("utf-8", "replace").decode())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not text[1:2].isdigit() else text
