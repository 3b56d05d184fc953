"""Turns a heap of files, as a learning platform or a mailbox hands it out, into one notebook for each student.

What is taken, what is not, and why, is written to a table that a person can complete: the column `decision` takes a
student's name, `take`, or `skip`, and the next run obeys it, as long as the file is the same. What waits for a
decision stays in the table when something else is collected. Nothing that was collected before is replaced unless a
person says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from minigrad_class import csv_tables, downloads, owners, times
from minigrad_class.assignment import Assignment
from minigrad_class.csv_tables import safe
from minigrad_class.notebook_reader import Reader, reader_for
from minigrad_class.roster import read_roster
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import all_exercises
from minigrad_course.grading.whole_files import write_whole
from minigrad_course.isolation import scratch

COLUMNS = ("file", "student", "status", "note", "decision", "content", "handed in", "late")
# What needs a person comes first.
STATUSES = ("unclear", "several", "again", "not taken", "unreadable", "taken", "replaced", "skipped", "other")
OPEN = ("unclear", "several", "again", downloads.REFUSED)


@dataclass
class Found:
    """One file of the heap: where it was, what is in it, and what becomes of it."""

    parts: tuple[str, ...]
    digest: str = ""
    source: Path | None = None  # where its bytes are
    status: str = ""  # one of STATUSES, in the end
    note: str = ""
    student: str = ""
    decision: str = ""
    time: str = ""  # when it was handed in
    aside: bool = False  # nothing that somebody handed in for this exercise
    instead: bool = False  # of another one of this student's, which was collected before

    @property
    def name(self) -> str:
        return safe("/".join(self.parts))

    @property
    def content(self) -> str:
        """A short name of what is in it."""
        return f"#{self.digest[:12]}" if self.digest else ""

    def row(self) -> dict[str, str]:
        """Its line in the table."""
        late = "late, as its name says" if "LATE" in self.parts[-1].split("_") else ""  # Canvas writes that
        note = "; ".join(filter(None, [self.note, late, "instead of what was collected before" * self.instead]))
        fields = (self.name, safe(self.student), self.status, safe(note), safe(self.decision), self.content, self.time)
        return dict(zip(COLUMNS, (*fields, ""), strict=True))


@dataclass
class Collection:
    """The result of collecting a heap."""

    found: list[Found] = field(default_factory=list)
    earlier: list[dict[str, str]] = field(default_factory=list)  # the table's lines on files that are not in this heap

    def by_status(self, *status: str) -> list[Found]:
        return [one for one in self.found if one.status in status]


def collect(
    assignment: Assignment, heap: Path, folder: Path, roster: Path | None = None, replace: bool = False
) -> Collection:
    """Take the submissions of an exercise from `heap` into `folder`/submitted. Raises GradingError without a heap.

    `replace`: a person says that what is handed in again counts instead of what was collected before.
    """
    if not heap.exists():
        raise GradingError(f"there is no {heap} to collect from")
    table = folder / f"collected-{assignment.id}.csv"
    collection = Collection()
    earlier = read_table(table)
    rows_before = [*earlier.values()]
    known = read_roster(roster) if roster else {}
    with scratch.folder("heap") as spool:
        people = owners.People(known)
        for file in downloads.walk(heap):
            item = _keep(file, heap, spool)
            before = earlier.pop(item.name, {})
            if before.get("content", "") in ("", item.content):
                item.decision = before.get("decision", "")
            collection.found.append(item)
        notebooks = collection.by_status("", "unreadable")
        readings = owners.read_names([one.parts for one in notebooks], assignment.id, people)
        _no_crowds(notebooks, readings)
        with reader_for([assignment, *_others(assignment)]) as reader:
            for item in notebooks:
                if not item.status and item.decision.casefold() != "skip":
                    _look(item, assignment, reader)
        for item, reading in zip(notebooks, readings, strict=True):
            if item.status in ("", "unreadable"):
                _assign(item, reading, assignment, people)
        notebooks = [one for one in notebooks if one.status in ("", "unreadable")]
        here = (folder / "submitted").glob("*") if (folder / "submitted").is_dir() else ()
        known_as = {path.name.casefold(): path.name for path in here}
        for item in notebooks:
            item.student = known_as.get(item.student.casefold(), item.student)  # bob_roe is Bob_Roe
        _one_each(notebooks)
        _not_taken(collection, assignment, people, known_as)
        for item in notebooks:
            if item.status in ("taken", "unreadable"):
                _take(item, folder / "submitted" / item.student / assignment.id / f"{assignment.id}.ipynb", replace)
    for item in collection.found:
        item.time = _first_time(item, rows_before)
    collection.earlier = [_of_before(row, collection) for row in earlier.values()]
    write_table(table, collection, times.due(folder, assignment.id))
    return collection


def _keep(file: downloads.File, heap: Path, spool: Path) -> Found:
    """Put what may be a notebook aside; the rest is only named."""
    item = Found(file.parts, status=file.status, note=file.note, time=file.time)
    if file.status:
        return item
    name = file.parts[-1].lower()
    if not name.endswith(".ipynb") and file.data.lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t")[:1] != b"{":
        item.status, item.note = "other", "not a notebook"
    else:
        item.digest = sha256(file.data).hexdigest()
        original = heap.joinpath(*file.parts)
        item.source = original if heap.is_dir() and original.is_file() else spool / item.digest
        if item.source.parent == spool and not item.source.exists():
            item.source.write_bytes(file.data)
    return item


def _no_crowds(notebooks: list[Found], readings: list[owners.Reading]) -> None:
    """An upload with very many notebooks is for a person: none of them is read."""
    uploads = [one.parts[: reading.depth + 1] for one, reading in zip(notebooks, readings, strict=True)]
    counts = Counter(uploads)
    for one, upload in zip(notebooks, uploads, strict=True):
        if counts[upload] > downloads.MOST_NOTEBOOKS:
            one.status, one.note = "unclear", f"one of {counts[upload]:,} notebooks in one upload"


def _look(item: Found, assignment: Assignment, reader: Reader) -> None:
    """See whether a file is a notebook of this exercise."""
    assert item.source is not None
    try:
        cells_of, belongs = reader.look(item.source)
    except GradingError as error:
        if item.parts[-1].lower().endswith(".ipynb"):
            item.status, item.note = "unreadable", str(error)
        else:
            item.status, item.note = "other", "not a notebook"
        return
    here = belongs.pop(assignment.id)
    for other, count in belongs.items():
        if cells_of == other or (cells_of != assignment.id and count > here):
            item.status, item.note = downloads.REFUSED, f"belongs to {other}"
            if other in item.parts[:-1]:  # it lies where such notebooks belong
                item.status, item.aside = "other", True
            return
    if cells_of != assignment.id and not here:
        item.note = "nothing in it says that it is this exercise"


def _assign(item: Found, reading: owners.Reading, assignment: Assignment, people: owners.People) -> None:
    """Assign a file to a student: by its name, or by a person's decision."""
    decision = item.decision.casefold()
    item.student = reading.student
    if decision == "skip":
        item.status, item.student = "skipped", ""
        return
    if item.decision and decision != "take":
        if people.roster:
            (reading,) = owners.read_names([[item.decision]], assignment.id, people)
            item.student = reading.student
        else:
            item.student = owners.slug(item.decision.split())
    if not item.student:
        item.status, item.note = "unclear", reading.doubt or "no name is left of its name"


def _one_each(notebooks: list[Found]) -> None:
    """Of every student one notebook; where there are different ones, a person has to say which."""
    of: dict[str, list[Found]] = {}
    for item in notebooks:
        if item.student and item.status in ("", "unreadable"):
            of.setdefault(item.student.casefold(), []).append(item)
    for items in of.values():
        decided = [one for one in items if one.decision]
        if len({one.digest for one in items}) > 1 and len(decided) != 1:
            for one in items:
                one.status = "several"
                several = f"{len(items)} different notebooks of {one.student}: write `skip` for those that do not count"
                one.note = f"{several}; {one.note}" if one.note else several
            continue
        chosen = decided[0] if len(decided) == 1 else items[0]
        for one in items:
            if one is not chosen:
                one.status, one.note = "skipped", "another one of the same student was taken"
            elif one.status != "unreadable":
                one.status = "taken"


def _not_taken(collection: Collection, assignment: Assignment, people: owners.People, known_as: dict[str, str]) -> None:
    """Name those who have handed something in, and of whom there is nothing to grade: they are not missing."""
    rest = [one for one in collection.by_status(downloads.REFUSED, "other") if not one.aside]
    rest += [one for one in collection.by_status("unclear") if not one.source]
    readings = owners.read_names([one.parts for one in rest], assignment.id, people)
    for item, reading in zip(rest, readings, strict=True):
        student = "" if item.parts == downloads.WHOLE else reading.student
        if item.decision and item.decision.casefold() not in ("skip", "take"):
            student = owners.slug(item.decision.split())
        item.student = known_as.get(student.casefold(), student)
        if item.decision.casefold() == "skip":
            item.status, item.student = "skipped", ""
    have = {one.student.casefold() for one in collection.found if one.status not in ("", downloads.REFUSED, "other")}
    for item, reading in zip(rest, readings, strict=True):
        nothing_else = bool(item.student) and item.student.casefold() not in have
        if item.status == "other" and nothing_else and _is_somebodys(item, reading, assignment, people):
            item.status = downloads.REFUSED
        elif item.status == downloads.REFUSED and item.student and not nothing_else:
            item.status = "other"  # beside the notebook that was taken
        if item.status == "other":
            item.student = ""


def _is_somebodys(item: Found, reading: owners.Reading, assignment: Assignment, people: owners.People) -> bool:
    """Tell whether a file that is no notebook was handed in by somebody, unlike a README, say."""
    if people.roster:
        return True
    part = item.parts[reading.depth]
    return reading.depth < len(item.parts) - 1 or owners.owner(part, assignment.id, False).platform


def _take(item: Found, target: Path, replace: bool) -> None:
    """Put it where grading looks for it; not over another one, unless a person has said so."""
    if not item.source:
        if target.exists():
            item.note += "; what was collected before counts"
        return
    if target.exists():
        if sha256(target.read_bytes()).hexdigest() == item.digest:
            return
        if not (replace or item.decision):
            item.status = "again"
            item.note = "another one was collected before: write `take` or `skip`, or collect with --replace"
            return
        item.instead = True
    try:
        write_whole(target, item.source.read_bytes())
    except OSError as error:
        item.status, item.note = "unclear", f"it cannot be written to {target}: {error.strerror}"


def _others(assignment: Assignment) -> Iterator[Assignment]:
    for exercise in all_exercises(assignment.course):
        with suppress(GradingError):  # one without solutions here is none that we could mistake this for
            if exercise.id != assignment.id and (full := exercise.full()):
                yield Assignment(exercise.id, assignment.course, full, exercise.sheet())


def read_table(table: Path) -> dict[str, dict[str, str]]:
    """The lines of an earlier run's table, with what a person has written into it: file -> line.

    Raises GradingError where it is no longer that table: decisions shall not be lost.
    """
    if not table.exists():
        return {}
    rows = csv_tables.read_named(table)
    if not all({"file", "status", "decision"} <= row.keys() for row in rows):
        raise GradingError(f"{table} has lost its columns `file`, `status` and `decision`: mend it, or delete it")
    return {row["file"]: {name: row.get(name, "") for name in COLUMNS} for row in rows if row["file"]}


def _of_before(row: dict[str, str], collection: Collection) -> dict[str, str]:
    """Update a table's line on a file that was collected from elsewhere."""
    if row["status"] in OPEN and row["decision"].casefold() == "skip":
        return {**row, "status": "skipped"}
    if row["status"] in ("taken", "unreadable", downloads.REFUSED) and row["student"] in {
        one.student for one in collection.found if one.status != downloads.REFUSED
    } - {""}:
        return {**row, "status": "replaced", "note": "another one of the same student was collected later"}
    return row


def _first_time(item: Found, rows: list[dict[str, str]]) -> str:
    """When a student handed this very notebook in: the first time, however often it is downloaded or handed in."""
    same = [row for row in rows if item.content and (row["content"], row["student"]) == (item.content, item.student)]
    return min(filter(None, [item.time, *(times.of_text(row["handed in"]) for row in same)]), default="")


def write_table(table: Path, collection: Collection, due: str = "") -> None:
    """Write the result for every file; those that need a person come first."""
    rows = [*(one.row() for one in collection.found), *collection.earlier]
    rows = [{**row, "late": times.late(row["handed in"], due)} for row in rows]
    rows.sort(key=lambda row: (STATUSES.index(row["status"]) if row["status"] in STATUSES else 0, row["file"]))
    csv_tables.write(table, [COLUMNS, *(row.values() for row in rows)])


def open_files(table: Path) -> list[str]:
    """The files that wait for a decision, each with the reason."""
    return [f"{row['file']}: {row['note']}" for row in read_table(table).values() if row["status"] in OPEN]


def handed_in(table: Path) -> dict[str, str]:
    """The students who have handed in what was not taken, or waits for a decision, each with the reason."""
    rows = [row for row in read_table(table).values() if row["status"] in (*OPEN, "unreadable") and row["student"]]
    return {row["student"]: f"{row['file']}: {row['note']}" for row in rows}


def read_times(table: Path) -> dict[str, str]:
    """When each student handed in what counts, or, where nothing does, what waits for a decision."""
    moments: dict[str, str] = {}
    for row in read_table(table).values():
        if row["student"] and row["status"] in ("taken", "unreadable", *OPEN):
            moment = times.of_text(row["handed in"])
            if row["status"] == "taken" or row["student"] not in moments:
                moments[row["student"]] = moment
    return moments
