"""Put a class's points into the table that a learning platform exports, so that the platform imports it as it is.

Canvas, Moodle and Blackboard know a student by numbers of their own and an exercise by a column of their own. So the
file that they import is the file that they exported, with one column filled:

    Canvas, Gradebook → Export: Student, ID, SIS User ID, SIS Login ID, Section, NAME (number), ...
    Moodle, Download grading worksheet: Identifier, Full name, Email address, Status, Grade, Maximum grade, ...
    Moodle, Grades → Export: First name, Last name, ID number, Email address, ..., Assignment: NAME (Real)
    Blackboard, Work Offline → Download: Last Name, First Name, Username, ..., NAME [Total Pts: 12 Score] |number

Encoding, delimiter and all other fields stay as they were. What has no points here stays as it is there.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from minigrad_class import csv_tables
from minigrad_class.owners import People, slug
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.whole_files import write_whole

# The columns that tell who somebody is, and those in which no points are ever written.
IDENTITY = re.compile(
    r"identifier|student|full ?name|first ?name|last ?name|surname|name|id|sis user id|sis login id|username|user ?id|"
    r"id number|student id|e-?mail( address)?",
    re.IGNORECASE,
)
OTHER = re.compile(
    r"section|status|maximum grade|grade can be changed|last .*|availability|institution|department|root account|"
    r"feedback comments|child course id|integration id|.*\(read only\)|.*(final|current) (score|grade|points)",
    re.IGNORECASE,
)
MAXIMUM = re.compile(r"\[total pts: (?:up to )?([\d.,]+)", re.IGNORECASE)  # Blackboard's, in the column's title


@dataclass
class Export:
    """A platform's table as it was exported: its bytes can be written again with other fields."""

    rows: list[list[str]]
    encoding: str
    delimiter: str
    quoted: bool  # every field stands in quotation marks
    newline: str

    @classmethod
    def read(cls, path: Path) -> Export:
        """Read it. Raises GradingError where it is no table."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise GradingError(f"{path} cannot be read: {error.strerror}") from None
        if data[:2] == b"PK":
            raise GradingError(f"{path} is a workbook or a zip: export the grades as CSV, or text with tabs")
        text, encoding = csv_tables.decoded(data)
        delimiter = csv_tables.delimiter_of(text)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
        if len(rows) < 2 or len(rows[0]) < 2:
            raise GradingError(
                f"{path} is no table of grades: a line of titles is expected, and a line for each student"
            )
        first = text.partition("\n")[0].rstrip("\r")
        quoted = first.count('"') >= 2 * len(rows[0])
        return cls(rows, encoding, delimiter, quoted, "\r\n" if "\r\n" in text else "\n")

    def write(self, path: Path) -> None:
        """Write it in one go, in its own encoding, with its own delimiter and quotation marks."""
        text = io.StringIO(newline="")
        quoting = csv.QUOTE_ALL if self.quoted else csv.QUOTE_MINIMAL
        rows = csv.writer(text, delimiter=self.delimiter, lineterminator=self.newline, quoting=quoting)  # type: ignore[arg-type]
        rows.writerows(self.rows)
        write_whole(path, text.getvalue().encode(self.encoding))


@dataclass
class Filled:
    """A count of the points that were written, and what a person should know."""

    column: str
    written: int = 0
    replaced: list[str] = field(default_factory=list)  # whose points were others on the platform
    open: list[str] = field(default_factory=list)  # in both tables, without points here
    unknown: list[str] = field(default_factory=list)  # rows of the platform that are nobody here
    left: list[str] = field(default_factory=list)  # with points here, and in no row of the platform
    unclear: list[str] = field(default_factory=list)  # rows that fit several students, or students with several rows


def fill(
    export: Export,
    points: Mapping[str, float | None],
    of: float,
    exercise: str,
    roster: Mapping[str, str] | None = None,
    column: str = "",
    scale: bool = False,
) -> Filled:
    """Write points into the column of an exercise, in place.

    points: student's folder -> points, None where there are none yet. of: the most that the exercise gives. roster:
    id -> other words (roster.py). column: its title, or a part of it; by default the one that names the exercise, or
    Moodle's "Grade". scale: multiply the points where the platform's maximum is not `of`.

    Raises GradingError where no column or several fit, or where the maximum differs and `scale` is not asked for.
    """
    titles = [title.strip() for title in export.rows[0]]
    where = _column(titles, exercise, column)
    factor = _factor(export.rows, titles, where, of, scale)
    people = People(dict(roster) if roster else {student: student.replace("_", " ") for student in points})
    folders = {slug([student]): student for student in people.roster}
    identity = [k for k, title in enumerate(titles) if k != where and IDENTITY.fullmatch(title)]
    if not identity:
        raise GradingError(f"no column says who is who: {', '.join(titles)}")
    owners = _owners(export.rows, titles, identity, people)
    result = Filled(titles[where])
    seen: dict[str, list[int]] = {}
    for row, students in owners.items():
        for student in students:
            seen.setdefault(student, []).append(row)
    for row, students in owners.items():
        name = " ".join(export.rows[row][k].strip() for k in identity).strip()
        if not students:
            result.unknown.append(name)
        elif len(students) > 1 or len(seen[students[0]]) > 1:
            result.unclear.append(name)
        elif (mark := points.get(slug(students))) is None:
            result.open.append(students[0])
        else:
            fields = export.rows[row]
            fields += [""] * (where + 1 - len(fields))
            before, fields[where] = fields[where].strip(), f"{mark * factor:.10g}"
            result.written += 1
            if _differ(before, fields[where]):
                result.replaced.append(f"{students[0]} ({before}, now {fields[where]})")
    known = {slug([student]) for student in seen}
    result.left = [folders.get(one, one) for one, mark in points.items() if mark is not None and one not in known]
    return result


def _column(titles: list[str], exercise: str, wanted: str) -> int:
    """The place of the column for the points."""
    free = [
        k for k, title in enumerate(titles) if title and not IDENTITY.fullmatch(title) and not OTHER.fullmatch(title)
    ]
    if wanted:
        fitting = [k for k in free if titles[k].casefold() == wanted.casefold()]
        fitting = fitting or [k for k in free if wanted.casefold() in titles[k].casefold()]
    else:
        number, *words = exercise.split("_")
        name = r"[\s_.\-]*".join(map(re.escape, words))
        fitting = [k for k in free if re.search(rf"(?<![^\W_]){name}(?![^\W_])", titles[k], re.IGNORECASE)]
        kinds = r"(?:(?:assignment|exercise|homework|hw|lab|problem set|ps)\W*)*"
        fitting = fitting or [k for k in free if re.match(rf"{kinds}0?{int(number)}\b", titles[k], re.IGNORECASE)]
        fitting = fitting or [k for k in free if titles[k].casefold() == "grade"]
    if len(fitting) != 1:
        named = f"`{wanted}`" if wanted else exercise
        which = f"{len(fitting)} columns fit" if fitting else "no column fits"
        among = ", ".join(repr(titles[k]) for k in fitting or free) or "there is none for points"
        raise GradingError(f"{which} {named}: {among}. Name one: --column TITLE")
    return fitting[0]


def _factor(rows: list[list[str]], titles: list[str], where: int, of: float, scale: bool) -> float:
    """By which our points are multiplied, so that `of` is the platform's maximum."""
    maximum = ""
    if inside := MAXIMUM.search(titles[where]):
        maximum = inside[1]
    elif row := next((row for row in rows[1:4] if _is_canvas_maximum(row)), None):
        maximum = row[where] if where < len(row) else ""
    elif "maximum grade" in (lower := [title.casefold() for title in titles]):
        k = lower.index("maximum grade")
        maximum = next((row[k] for row in rows[1:] if k < len(row) and row[k].strip()), "")
    try:
        most = float(maximum.strip().replace(",", "."))
    except ValueError:  # the table does not say it
        return 1.0
    if most <= 0 or abs(most - of) < 1e-9:  # Blackboard's column for text has 0
        return 1.0
    if not scale:
        raise GradingError(
            f"`{titles[where]}` goes up to {most:g}, the exercise to {of:g}: set {of:g} there, or multiply by --scale"
        )
    return most / of


def _differ(before: str, now: str) -> bool:
    """Tell whether the platform had other points; "-" and words stand for none."""
    try:
        return abs(float(before.replace(",", ".")) - float(now)) > 0.005
    except ValueError:
        return False


def _is_canvas_maximum(row: list[str]) -> bool:
    return bool(row) and row[0].strip().casefold() == "points possible"


def _owners(rows: list[list[str]], titles: list[str], identity: Iterable[int], people: People) -> dict[int, list[str]]:
    """Row -> its students: by a field that is somebody's id, number or address, else by names."""
    exact: dict[str, set[str]] = {}
    for student, more in people.roster.items():
        for word in (student, slug([student]), *more.split("|")):
            if word.strip():
                exact.setdefault(word.strip().casefold(), set()).add(student)
    names = [k for k in identity if "name" in titles[k].casefold() and "user" not in titles[k].casefold()]
    names += [k for k in identity if titles[k].casefold() == "student"]
    owners = {}
    for number, row in enumerate(rows[1:], start=1):
        texts = {k: row[k].strip() for k in identity if k < len(row)}
        if not any(texts.values()) or _is_canvas_maximum(row) or texts.get(0, "").casefold() == "student, test":
            continue
        # What is nobody's twice comes first: a name may be that of two.
        by_id = [exact.get(text.casefold(), set()) for k, text in texts.items() if k not in names and text]
        fitting = set().union(*by_id) or set(people.named(" ".join(texts[k] for k in names if k in texts)))
        owners[number] = sorted(fitting)
    return owners
