"""Tables that persons and spreadsheets read and write: CSV, and what becomes of it on the way.

A spreadsheet shows an umlaut right only in a file that starts with a mark of its encoding, and may give back a file
with semicolons, or in the encoding of its country. It takes a cell that starts with `=` for a formula.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from minigrad_course.grading.whole_files import write_whole


def write(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write a table in one go, its header first, every field of it `safe`."""
    text = io.StringIO()
    csv.writer(text).writerows([safe(str(field)) for field in row] for row in rows)
    write_whole(path, f"\ufeff{text.getvalue()}")


def read(path: Path) -> list[list[str]]:
    """The rows of a table that have anything in them, their fields stripped. Raises OSError where there is none."""
    text, _ = decoded(path.read_bytes())
    rows = csv.reader(io.StringIO(text), delimiter=delimiter_of(text))
    stripped = [[field.strip() for field in row] for row in rows]
    return [row for row in stripped if any(row)]


def decoded(data: bytes) -> tuple[str, str]:
    """The text of a spreadsheet's table, and its encoding."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace"), "utf-16"
    for encoding in ("utf-8-sig" if data[:3] == b"\xef\xbb\xbf" else "utf-8", "cp1252"):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(encoding), encoding
    return data.decode("latin-1"), "latin-1"


def delimiter_of(text: str) -> str:
    """Return what stands between the fields of its first line."""
    return max(",;\t", key=text.lstrip("\r\n").partition("\n")[0].count)


def read_named(path: Path) -> list[dict[str, str]]:
    """The rows as dictionaries, by the names in the first one."""
    header, *rows = read(path) or [[]]
    return [dict(zip(header, [*row, *[""] * len(header)])) for row in rows]  # noqa: B905


NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?")
# What begins a formula; full-width signs too, which some spreadsheets take for the others.
FORMULA = re.compile(r"(?:^|(?<=[;|]))([\s\"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")


def safe(text: str) -> str:
    """A text for a cell of a table: no spreadsheet takes it for a formula, and no terminal for a command.

    A sign at the beginning gets a `'` before it, unless all of the text is a number; so does one behind a semicolon,
    where spreadsheets of some countries begin a new cell.
    """
    text = "".join(c if c.isprintable() else " " for c in text.encode("utf-8", "replace").decode())
    return text if NUMBER.fullmatch(text) else FORMULA.sub(r"\1'", text)
