"""Turns a heap of files, as a learning platform or a mailbox hands it out, into one notebook for each student.

Folders and zips are walked through, zips in zips too; nothing is unpacked to disk under a name that somebody else
chose. Links are not followed. What is taken, what is not, and why, is written to a table that a person can
complete: the column `decision` takes a student's name, or `skip`, and the next run obeys it.
"""

from __future__ import annotations

import csv
import io
import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from minigrad.grading.cells import GradingError
from minigrad.grading.classroom import names
from minigrad.grading.classroom.assignment import Assignment
from minigrad.grading.classroom.repair import MOST_BYTES, belongs, read_cells
from minigrad.grading.classroom.store import write_whole
from minigrad.grading.exercises import all_exercises

MOST_UNPACKED = 500_000_000  # bytes of one zip
MOST_ENTRIES = 20_000
DEEPEST_ZIP = 3
IGNORED = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", "tests.json", "__pycache__"}
COLUMNS = ("file", "student", "status", "note", "decision")


@dataclass
class Found:
    """One file of the heap: where it was, what is in it, and what becomes of it."""

    parts: tuple[str, ...]
    data: bytes = b""
    status: str = ""  # "taken", "unreadable" (taken, but for a person), "unclear", "several", "skipped", "other"
    note: str = ""
    student: str = ""
    decision: str = ""

    @property
    def name(self) -> str:
        return safe("/".join(self.parts))


@dataclass
class Collection:
    """What came of a heap."""

    found: list[Found] = field(default_factory=list)

    def by_status(self, *status: str) -> list[Found]:
        return [one for one in self.found if one.status in status]


def collect(assignment: Assignment, heap: Path, folder: Path, roster: Path | None = None) -> Collection:
    """Take the submissions of an exercise from `heap` into `folder`/submitted. Raises GradingError without a heap."""
    if not heap.exists():
        raise GradingError(f"there is no {heap} to collect from")
    table = folder / f"collected-{assignment.id}.csv"
    decisions = read_decisions(table)
    others = list(_others(assignment))
    collection = Collection()
    notebooks: list[Found] = []
    for found in walk(heap):
        found.decision = decisions.get(found.name, "")
        collection.found.append(found)
        if not found.status:
            _look(found, assignment, others)
        if not found.status or found.status == "unreadable":
            notebooks.append(found)
    known = read_roster(roster) if roster else None
    readings = names.read_names([one.parts for one in notebooks], assignment.id, known)
    for found, reading in zip(notebooks, readings, strict=True):
        found.student = reading.student
        if found.decision.casefold() == "skip":
            found.status, found.student = "skipped", ""
        elif found.decision:
            found.student = names.slug(found.decision.split())
        if not found.student and found.status != "skipped":
            found.status, found.note = "unclear", reading.doubt or "no name is left of its name"
    _one_each(notebooks)
    for found in notebooks:
        if found.status in ("taken", "unreadable"):
            target = folder / "submitted" / found.student / assignment.id / f"{assignment.id}.ipynb"
            if not target.exists() or target.read_bytes() != found.data:
                write_whole(target, found.data)
    write_table(table, collection)
    return collection


def _look(found: Found, assignment: Assignment, others: list[Assignment]) -> None:
    """See whether a file is a notebook of this exercise."""
    notebook = found.parts[-1].lower().endswith(".ipynb")
    try:
        cells, said = read_cells(found.data)
    except GradingError as error:
        if notebook:
            found.status, found.note = "unreadable", str(error)
        else:
            found.status, found.note = "other", "not a notebook"
        return
    here = belongs(cells, assignment.full)
    for other in others:
        if said == other.id or (said != assignment.id and belongs(cells, other.full) > here):
            found.status, found.note = "other", f"belongs to {other.id}"
            return
    if said != assignment.id and not here:
        found.note = "nothing in it says that it is this exercise"


def _one_each(notebooks: list[Found]) -> None:
    """Of every student one notebook; where there are different ones, a person has to say which."""
    of: dict[str, list[Found]] = {}
    for found in notebooks:
        if found.student and found.status in ("", "unreadable"):
            of.setdefault(found.student, []).append(found)
    for student, mine in of.items():
        decided = [one for one in mine if one.decision]
        if len({sha256(one.data).digest() for one in mine}) > 1 and len(decided) != 1:
            for one in mine:
                one.status = "several"
                one.note = f"{len(mine)} different notebooks of {student}: write `skip` for those that do not count"
            continue
        chosen = decided[0] if len(decided) == 1 else mine[0]
        for one in mine:
            if one is not chosen:
                one.status, one.note = "skipped", "another one of the same student was taken"
            elif one.status != "unreadable":
                one.status = "taken"


def _others(assignment: Assignment) -> Iterator[Assignment]:
    for exercise in all_exercises(assignment.course):
        if exercise.id != assignment.id:
            try:
                yield Assignment.load(exercise.id, assignment.course)
            except GradingError:
                continue  # one without solutions here is none that we could mistake this for


def walk(heap: Path) -> Iterator[Found]:
    """Every file in a folder or zip. Those that are not to be read have a status already."""
    if heap.is_file():
        yield from _file(heap, (heap.name,))
        return
    for folder, folders, files in os.walk(heap, followlinks=False):
        inside = Path(folder).relative_to(heap).parts
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        for name in [*folders]:
            if (Path(folder) / name).is_symlink():
                yield Found((*inside, name), status="other", note="a link, not followed")
        for name in sorted(files):
            if name not in IGNORED and not name.startswith("._"):
                yield from _file(Path(folder) / name, (*inside, name))


def _file(path: Path, parts: tuple[str, ...]) -> Iterator[Found]:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            what = "a link, not followed" if stat.S_ISLNK(status.st_mode) else "no ordinary file"
            yield Found(parts, status="other", note=what)
        elif path.suffix.lower() == ".zip":
            with path.open("rb") as file:
                yield from _zip(file, parts, [MOST_UNPACKED], 1)
        elif status.st_size > MOST_BYTES:
            yield Found(
                parts, status="unreadable" if path.suffix == ".ipynb" else "other", note=_too_large(status.st_size)
            )
        else:
            yield Found(parts, path.read_bytes())
    except OSError as error:
        yield Found(parts, status="other", note=f"cannot be read: {error.strerror}")


def _zip(file: io.IOBase, parts: tuple[str, ...], left: list[int], depth: int) -> Iterator[Found]:
    """The files of a zip; `left` counts down the bytes that all of it may unpack to."""
    stem = parts[-1][:-4] if parts[-1].lower().endswith(".zip") else parts[-1]
    try:
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES:
                yield Found(parts, status="other", note=f"a zip with {len(entries):,} files is not looked into")
                return
            for entry in entries:
                inner = tuple(
                    part for part in entry.filename.replace("\\", "/").split("/") if part not in ("", ".", "..")
                )
                if entry.is_dir() or not inner or set(inner) & IGNORED or inner[-1].startswith("._"):
                    continue
                yield from _entry(archive, entry, (*parts[:-1], stem, *inner), left, depth)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
        yield Found(parts, status="other", note=f"a zip that cannot be opened ({error})")


def _entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...], left: list[int], depth: int
) -> Iterator[Found]:
    wanted = entry.filename.lower().endswith(".ipynb")
    refused = "unreadable" if wanted else "other"
    if stat.S_ISLNK(entry.external_attr >> 16):
        yield Found(parts, status="other", note="a link, not followed")
        return
    if entry.flag_bits & 1:
        yield Found(parts, status=refused, note="needs a password")
        return
    try:
        with archive.open(entry) as file:
            data = file.read(min(MOST_BYTES, max(left[0], 0)) + 1)  # what it says of its size may be a lie
    except Exception as error:  # damaged in one of many ways
        yield Found(parts, status=refused, note=f"damaged in its zip ({type(error).__name__})")
        return
    left[0] -= len(data)
    if left[0] < 0:
        yield Found(parts, status=refused, note=f"its zip unpacks to more than {MOST_UNPACKED // 10**6} MB")
    elif len(data) > MOST_BYTES:
        yield Found(parts, status=refused, note=_too_large(entry.file_size))
    elif parts[-1].lower().endswith(".zip"):
        if depth == DEEPEST_ZIP:
            yield Found(parts, status="other", note="a zip in a zip in a zip in a zip is not looked into")
        else:
            yield from _zip(io.BytesIO(data), parts, left, depth + 1)
    else:
        yield Found(parts, data)


def _too_large(size: int) -> str:
    return f"it has {size / 1e6:.0f} MB, and {MOST_BYTES // 10**6} MB are the most"


def read_roster(path: Path) -> dict[str, str]:
    """A class list, a CSV whose first column is the student's id; whatever else is in the row (a name, an address) is
    looked for in file names too. A header is known by the word `id` or `student` in its first field."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [[field.strip() for field in row] for row in csv.reader(file) if row and row[0].strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise GradingError(f"the roster {path} cannot be read: {error}") from None
    if rows and rows[0][0].casefold() in ("id", "student", "student_id", "username"):
        rows = rows[1:]
    return {row[0]: "|".join(field for field in row[1:] if field) for row in rows}


def read_decisions(table: Path) -> dict[str, str]:
    """What a person has written into the table of an earlier run."""
    if not table.exists():
        return {}
    with table.open(encoding="utf-8-sig", newline="") as file:
        return {row["file"]: (row.get("decision") or "").strip() for row in csv.DictReader(file) if row.get("file")}


def safe(text: str) -> str:
    """A text for a cell of a table: a spreadsheet shall not take it for a formula, nor a terminal for a command."""
    text = "".join(c if c.isprintable() else " " for c in text.encode("utf-8", "replace").decode())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not text[1:2].isdigit() else text


def write_table(table: Path, collection: Collection) -> None:
    """What became of every file; what needs a person comes first."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    order = ("unclear", "several", "unreadable", "taken", "skipped", "other")
    for one in sorted(collection.found, key=lambda one: (order.index(one.status), one.name)):
        writer.writerow([one.name, safe(one.student), one.status, safe(one.note), safe(one.decision)])
    write_whole(table, text.getvalue())


def open_files(table: Path) -> list[str]:
    """The files of the last collection that wait for a decision, each with the reason."""
    if not table.exists():
        return []
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row.get("status") in ("unclear", "several")]
    return [f"{row['file']}: {row['note']}" for row in rows]
