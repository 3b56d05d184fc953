"""The class list: a CSV whose first column is the student's id, and what else is known of each one.

A header is known by the word `id` or `student` in its first field. Whatever else is in a row (a name, an address, the
platform's number) is looked for in the names of files; the name is shown beside the id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from minigrad_class import csv_tables
from minigrad_class.owners import slug
from minigrad_course.grading.cells import GradingError


def read_roster(path: Path) -> dict[str, str]:
    """Return id -> all other fields, `|` between them. Raises GradingError without a file, or where an id is twice."""
    _, rows = _read(path)
    counts = Counter(row[0] for row in rows)
    if twice := [one for one, count in counts.items() if count > 1]:
        raise GradingError(f"{path} has {', '.join(twice[:5])} in several lines: an id is one person's")
    return {row[0]: "|".join(field for field in row[1:] if field) for row in rows}


def read_names(path: Path) -> dict[str, str]:
    """Return id, as it is used for folders -> name, for all who have one that is not their id."""
    header, rows = _read(path)
    columns = [
        k for k, title in enumerate(header) if k and "name" in title.casefold() and "user" not in title.casefold()
    ]
    names = {}
    for row in rows:
        if columns:
            name = " ".join(row[k] for k in columns if k < len(row) and row[k])
        else:
            name = next((field for field in row[1:] if _is_name(field)), "")
        if name and name.split() != row[0].split():
            names[slug([row[0]])] = name
    return names


def called(student: str, names: Mapping[str, str]) -> str:
    """Name a student as a person knows them: the id, with the class list's name in brackets."""
    return f"{student} ({names[student]})" if student in names else student


def _is_name(field: str) -> bool:
    return any(c.isalpha() for c in field) and not any(c.isdigit() or c == "@" for c in field)


def _read(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header, where there is one, and the rows of students."""
    try:
        rows = [row for row in csv_tables.read(path) if row[0]]
    except OSError as error:
        raise GradingError(f"the roster {path} cannot be read: {error.strerror}") from None
    if rows and rows[0][0].casefold() in ("id", "student", "student_id", "username"):
        return rows[0], rows[1:]
    return [], rows
