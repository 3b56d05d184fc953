"""Turns a heap of files, as a learning platform or a mailbox hands it out, into one notebook for each student.

Folders and zips are walked through, zips in zips too; nothing is unpacked to disk under a name that somebody else
chose. Links are not followed. What is taken, what is not, and why, is written to a table that a person can
complete: the column `decision` takes a student's name, or `skip`, and the next run obeys it, as long as the file is
the same. What waits for a decision stays in the table when something else is collected.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from minigrad.grading.cells import GradingError
from minigrad.grading.classroom import names, tables
from minigrad.grading.classroom.assignment import Assignment
from minigrad.grading.classroom.repair import MOST_BYTES, belongs, read_cells
from minigrad.grading.classroom.store import write_whole
from minigrad.grading.classroom.tables import safe
from minigrad.grading.exercises import all_exercises

MOST_UNPACKED = 500_000_000  # bytes of one zip
MOST_ENTRIES = 20_000
DEEPEST_ZIP = 3
IGNORED = {"__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini", "tests.json", "__pycache__"}
COLUMNS = ("file", "student", "status", "note", "decision", "content")
STATUSES = ("unclear", "several", "unreadable", "taken", "replaced", "skipped", "other")  # what needs a person first
OPEN = ("unclear", "several")


@dataclass
class Found:
    """One file of the heap: where it was, what is in it, and what becomes of it."""

    parts: tuple[str, ...]
    data: bytes = b""
    status: str = ""  # "taken", "unreadable" (taken, but for a person), "unclear", "several", "skipped", "other"
    note: str = ""
    student: str = ""
    decision: str = ""
    instead: bool = False  # of another one of this student's, which was collected before

    @property
    def name(self) -> str:
        return safe("/".join(self.parts))

    @property
    def content(self) -> str:
        """A short name of what is in it."""
        return f"#{sha256(self.data).hexdigest()[:12]}" if self.data else ""

    def row(self) -> dict[str, str]:
        """Its line in the table."""
        late = "late, as its name says" if "LATE" in self.parts[-1].split("_") else ""  # Canvas writes that
        note = "; ".join(filter(None, [self.note, late, "instead of what was collected before" * self.instead]))
        fields = (self.name, safe(self.student), self.status, safe(note), safe(self.decision), self.content)
        return dict(zip(COLUMNS, fields, strict=True))


@dataclass
class Collection:
    """What came of a heap."""

    found: list[Found] = field(default_factory=list)
    earlier: list[dict[str, str]] = field(default_factory=list)  # the table's lines on files that are not in this heap

    def by_status(self, *status: str) -> list[Found]:
        return [one for one in self.found if one.status in status]


def collect(assignment: Assignment, heap: Path, folder: Path, roster: Path | None = None) -> Collection:
    """Take the submissions of an exercise from `heap` into `folder`/submitted. Raises GradingError without a heap."""
    if not heap.exists():
        raise GradingError(f"there is no {heap} to collect from")
    table = folder / f"collected-{assignment.id}.csv"
    earlier = read_table(table)
    others = list(_others(assignment))
    collection = Collection()
    notebooks: list[Found] = []
    for found in walk(heap):
        before = earlier.pop(found.name, {})
        if before.get("content", "") in ("", found.content):
            found.decision = before.get("decision", "")
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
        elif found.decision and known:
            (reading,) = names.read_names([[found.decision]], assignment.id, known)
            found.student = reading.student
        elif found.decision:
            found.student = names.slug(found.decision.split())
        if not found.student and found.status != "skipped":
            found.status, found.note = "unclear", reading.doubt or "no name is left of its name"
    _one_each(notebooks)
    for found in notebooks:
        if found.status in ("taken", "unreadable"):
            target = folder / "submitted" / found.student / assignment.id / f"{assignment.id}.ipynb"
            found.instead = target.exists() and target.read_bytes() != found.data
            if found.instead or not target.exists():
                write_whole(target, found.data)
    collection.earlier = [_of_before(row, collection) for row in earlier.values()]
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
        rows = [row for row in tables.read(path) if row[0]]
    except OSError as error:
        raise GradingError(f"the roster {path} cannot be read: {error.strerror}") from None
    if rows and rows[0][0].casefold() in ("id", "student", "student_id", "username"):
        rows = rows[1:]
    return {row[0]: "|".join(field for field in row[1:] if field) for row in rows}


def read_table(table: Path) -> dict[str, dict[str, str]]:
    """The lines of an earlier run's table, with what a person has written into it: file -> line.

    Raises GradingError where it is no longer that table: decisions shall not be lost.
    """
    if not table.exists():
        return {}
    rows = tables.read_named(table)
    if not all({"file", "status", "decision"} <= row.keys() for row in rows):
        raise GradingError(f"{table} has lost its columns `file`, `status` and `decision`: mend it, or delete it")
    return {row["file"]: {name: row.get(name, "") for name in COLUMNS} for row in rows if row["file"]}


def _of_before(row: dict[str, str], collection: Collection) -> dict[str, str]:
    """What becomes of a table's line on a file that was collected from elsewhere."""
    if row["status"] in OPEN and row["decision"].casefold() == "skip":
        return {**row, "status": "skipped"}
    if row["status"] in ("taken", "unreadable") and row["student"] in {one.student for one in collection.found}:
        return {**row, "status": "replaced", "note": "another one of the same student was collected later"}
    return row


def write_table(table: Path, collection: Collection) -> None:
    """What became of every file; what needs a person comes first."""
    rows = [*(one.row() for one in collection.found), *collection.earlier]
    rows.sort(key=lambda row: (STATUSES.index(row["status"]) if row["status"] in STATUSES else 0, row["file"]))
    tables.write(table, [COLUMNS, *(row.values() for row in rows)])


def open_files(table: Path) -> list[str]:
    """The files that wait for a decision, each with the reason."""
    return [f"{row['file']}: {row['note']}" for row in read_table(table).values() if row["status"] in OPEN]
