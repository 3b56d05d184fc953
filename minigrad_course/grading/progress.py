"""A learner's points over all exercises: kept in the course's folder, shown in lesson 00 and by `minigrad progress`.

    .minigrad/progress.jsonl              one line for each change of a test's points; the last line of a test counts
    .minigrad/tries.jsonl                 one line for each time that a test of a written answer failed
    .minigrad/solutions.jsonl             one line for each line of a solution that was shown (reveal.py)
    .minigrad/running-<exercise>-<pid>    there while a kernel runs a test; left behind where the kernel died of it

Lines are appended in one piece, so that several kernels can write at once. Each begins with its line break: half a
line, which a crash left behind, takes no other with it. A line that cannot be read is passed over, and the others
count. Where the course's folder cannot be written, a folder of the same name in ~/.minigrad is used; where that cannot
be either, points are not kept, and nothing else changes.

Nobody is kept from writing points into the file by hand. They impress nobody: an instructor grades the notebooks.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from minigrad.guards.capabilities import IN_A_BROWSER
from minigrad.guards.installation import command
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import Exercise, all_exercises, course_folder
from minigrad_course.grading.outcome import UNWRITTEN, Row, time_limit_message
from minigrad_course.grading.points_table import CELL, NUMBER, short

FOLDER, FILE, TRIES = ".minigrad", "progress.jsonl", "tries.jsonl"
SHOWN = "solutions.jsonl"
TIME = "%Y-%m-%dT%H:%M:%S"


@dataclass(frozen=True)
class Record:
    """The points that a test earned when it last ran; `full`: with its hidden part."""

    points: float
    of: float
    full: bool


class Progress:
    """The file of one course."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self._marker: tuple[Path, IO[str]] | None = None

    @classmethod
    def of_folder(cls, folder: Path, exercise: str) -> Progress:
        """Return the progress for a notebook in `folder`: that of its course, or, outside of one, its own."""
        in_course = folder.name == exercise and folder.parent.name == "exercises"
        return cls(folder.parents[1] if in_course else folder)

    def latest(self) -> dict[str, dict[str, Record]]:
        """Return the latest record of each test of each exercise."""
        records: dict[str, dict[str, Record]] = {}
        for entry in kept(self.course, FILE):
            try:
                points, of = float(entry["points"]), float(entry["of"])
                if 0 <= points <= of:
                    tests = records.setdefault(str(entry["exercise"]), {})
                    tests[str(entry["test"])] = Record(points, of, entry.get("full") is True)
            except (ValueError, KeyError, TypeError):
                continue  # damaged: the other lines still count
        return records

    def note(self, exercise: str, rows: Iterable[Row], full: bool) -> bool:
        """Keep the points of the tests that ran, where they have changed. Returns whether that was possible."""
        known, possible = self.latest().get(exercise, {}), True
        for row in rows:
            if row.points is not None:
                where = {"exercise": exercise, "test": row.test}
                if not row.passed and row.feedback != UNWRITTEN:
                    keep(self.course, TRIES, where)
                if known.get(row.test) != Record(row.points, row.of, full):
                    points = {"points": row.points, "of": row.of, "full": full}
                    possible &= keep(self.course, FILE, {**where, **points})
        return possible

    def passed(self, exercise: str, tests: Iterable[str]) -> bool:
        """True if all of these tests earned all of their points when they last ran."""
        latest = self.latest().get(exercise, {})
        return all(test in latest and latest[test].points == latest[test].of for test in tests)

    def running(self, exercise: str, cell: str, limit: float) -> IO[str]:
        """Call before a test runs. Returns a file for the traceback of a kernel that has to be killed."""
        for place in places(self.course):
            marker = place / f"running-{exercise}-{os.getpid()}"
            try:
                place.mkdir(parents=True, exist_ok=True)
                file = open(marker, "w", encoding="utf-8")  # noqa: SIM115 - open until the test has ended
                print(json.dumps({"cell": cell, "limit": limit}), file=file, flush=True)
            except OSError:
                continue
            self._marker = marker, file
            return file
        self._marker = None
        return open(os.devnull, "w", encoding="utf-8")

    def not_running(self) -> None:
        """Call after a test that the kernel has survived."""
        if self._marker is not None:
            marker, file = self._marker
            file.close()
            marker.unlink(missing_ok=True)
            self._marker = None

    def left_by_dead_kernels(self, exercise: str) -> list[tuple[str, str]]:
        """List (cell, sentence) for each kernel that died while running a cell of this exercise, once each."""
        deaths = []
        for place in places(self.course):
            for marker in sorted(place.glob(f"running-{exercise}-*")):
                pid = marker.name.rpartition("-")[2]
                if _is_alive(pid):
                    continue
                try:
                    first, *last_words = [*marker.read_text(encoding="utf-8", errors="replace").splitlines(), ""]
                    marker.unlink(missing_ok=True)
                    entry = json.loads(first)
                    cell, limit = str(entry["cell"]), float(entry["limit"])
                except (OSError, ValueError, KeyError, TypeError):
                    continue
                too_long = any("Timeout" in line for line in last_words)
                why = time_limit_message(limit) if too_long else "something in it took the kernel down"
                deaths.append((cell, why))
        return deaths


def places(course: Path) -> list[Path]:
    """List the folders in which a course's records are kept, the best one first."""
    folders = [course / FOLDER]
    with contextlib.suppress(RuntimeError):  # nobody's home
        folders.append(Path.home() / FOLDER / course.name)
    return folders


def keep(course: Path, file: str, line: dict[str, Any]) -> bool:
    """Append a line with the time to a log, in the first place that can be written. Returns whether one can."""
    data = ("\n" + json.dumps({**line, "when": time.strftime(TIME)}, ensure_ascii=False)).encode()
    for place in places(course):
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            log = os.open(place / file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                if os.write(log, data) == len(data):  # in one piece
                    return True
            finally:
                os.close(log)
    return False


def kept(course: Path, file: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a log, those of the best place last; one that cannot be read is passed over."""
    for place in reversed(places(course)):
        try:
            lines = (place / file).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(entry, dict):
                yield entry


def tries(course: Path, exercise: str, tests: Iterable[str]) -> int:
    """Return how often one of these tests failed on a written answer: the one that did so most often."""
    failed = [str(entry.get("test")) for entry in kept(course, TRIES) if entry.get("exercise") == exercise]
    return max((failed.count(test) for test in tests), default=0)


def lines_shown(course: Path) -> dict[str, dict[str, int]]:
    """Return how many lines of the solution of each answer, of each exercise, were shown."""
    shown: dict[str, dict[str, int]] = {}
    for entry in kept(course, SHOWN):
        if isinstance(entry.get("lines"), int):
            shown.setdefault(str(entry.get("exercise")), {})[str(entry.get("answer"))] = entry["lines"]
    return shown


def _is_alive(pid: str) -> bool:
    """True if another process of this id runs. (Our own has just started, and has left nothing behind.)"""
    import psutil

    if not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OverflowError):
        return False


@dataclass(frozen=True)
class Standing:
    """One exercise in the overview."""

    exercise: Exercise
    title: str
    points: float
    of: float
    started: bool
    passed: bool  # every test that ran, and all have run
    unseen: bool  # whether hidden tests exist that have not run on this
    next: str  # the first test without all of its points
    read: int = 0  # lines of its solutions that were shown
    minutes: int = 0  # that its tasks without all of their points take, as estimated (effort.py)
    level: str = ""  # of the next one

    def state(self) -> str:
        """Describe the state in a few words, and claim no more than was checked."""
        lines = f"; {self.read} {'line' if self.read == 1 else 'lines'} of the solution read" if self.read else ""
        return self._tests() + lines

    def _tests(self) -> str:
        if not self.passed:
            level = f" ({self.level})" if self.level else ""
            minutes = f", about {self.minutes} minutes{' left' * self.started}" if self.minutes else ""
            return f"next: {self.next}{level}{minutes}" if self.started else f"not started{minutes}"
        if not self.unseen:
            return "all tests passed"
        elsewhere = "where the course is installed" if sys.platform in IN_A_BROWSER else "with your instructor"
        ran = "not run" if self.exercise.has_hidden else elsewhere
        return f"public checks passed, hidden tests {ran}"


class Overview:
    """Points over all exercises of a course, and what to do next."""

    def __init__(self, lines: list[Standing]) -> None:
        self.lines = lines

    @property
    def points(self) -> float:
        return sum(line.points for line in self.lines)

    @property
    def of(self) -> float:
        return sum(line.of for line in self.lines)

    def next(self) -> tuple[Standing | None, str]:
        """Return the exercise to go on with, and a sentence that says so."""
        begun = [line for line in self.lines if line.started and not line.passed]
        new = [line for line in self.lines if not line.started]
        unseen = [line for line in self.lines if line.unseen]
        at_hand = [line for line in unseen if line.exercise.has_hidden]
        if begun:
            return begun[0], f"Next: {begun[0].next} in exercise {short(begun[0].exercise.id)}"
        if new:
            return new[0], f"Next: exercise {short(new[0].exercise.id)}"
        if at_hand:
            return at_hand[0], f"Next: the hidden tests, {command('grade', '--full', short(at_hand[0].exercise.id))}"
        if unseen:
            return None, f"All exercises: {unseen[0]._tests()}."
        return None, "All tests of all exercises passed."

    def __repr__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """Format the table as plain text; where it is wider than so many columns, states have lines of their own."""
        longest = max((len(line.title) for line in self.lines), default=0)
        parts = [
            (f"  {short(line.exercise.id)}  {line.title:{longest}}  {line.points:>4g} / {line.of:<4g}", line.state())
            for line in self.lines
        ]
        fits = all(len(head) + len(state) < width for head, state in parts)
        rows = [f"{head} {state}" if fits else f"{head.rstrip()}\n      {state}" for head, state in parts]
        total = f"  {'':2}  {'together':{longest}}  {self.points:>4g} / {self.of:g}"
        return "\n".join([*rows, total, "", f"  {self.next()[1]}"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td {CELL}>{_link(line.exercise, f'{short(line.exercise.id)} · {line.title}')}</td>"
            f"<td {CELL}>{_bar(line)}</td><td {NUMBER}>{line.points:g} / {line.of:g}</td>"
            f"<td {CELL}>{html.escape(line.state())}</td></tr>"
            for line in self.lines
        )
        line, words = self.next()
        go_on = f"<b>{_link(line.exercise, words) if line else html.escape(words)}</b>"
        return (
            '<div style="overflow-x:auto"><table class="minigrad-progress" '
            'style="border-collapse:collapse;font-size:inherit">'
            f"<tr><th {CELL}>exercise</th><td {CELL}></td><th {NUMBER}>points</th><td {CELL}></td></tr>{rows}"
            f"<tr><th {CELL}>together</th><td {CELL}></td><th {NUMBER}>{self.points:g} / {self.of:g}</th>"
            f"<td {CELL}>{go_on}</td></tr></table></div>"
        )


def _bar(line: Standing) -> str:
    share = 100 * line.points / line.of if line.of else 0
    return (
        '<div style="width:min(8em,12vw);height:.7em;border:1px solid #888;border-radius:3px" aria-hidden="true">'
        f'<div style="width:{share:.0f}%;height:100%;background:#2f86c5"></div></div>'
    )


def _link(exercise: Exercise, words: str) -> str:
    where = quote(Path(os.path.relpath(exercise.notebook)).as_posix())
    return f'<a href="{where}">{html.escape(words)}</a>'


def summary(start: Path | None = None) -> Overview:
    """Sum up the points over all exercises of the course around `start` (default: this folder)."""
    course = course_folder(start)
    latest = Progress(course).latest()
    read = lines_shown(course)
    lines = []
    for exercise in all_exercises(course):
        try:
            sheet = exercise.sheet()
        except GradingError:
            continue  # `minigrad grade` says what is wrong with it
        records = latest.get(exercise.id, {})
        earned = {t: r for t, r in records.items() if t in sheet.tests and r.of == sheet.tests[t].points}
        undone = [t for t, entry in sheet.tests.items() if t not in earned or earned[t].points < entry.points]
        open_tasks = [task for task in sheet.tasks if not {*task[0]}.isdisjoint(undone)]
        unseen = any(entry.hidden and not (t in earned and earned[t].full) for t, entry in sheet.tests.items())
        lines.append(
            Standing(
                exercise,
                sheet.title or exercise.id,
                sum(record.points for record in earned.values()),
                sum(entry.points for entry in sheet.tests.values()),
                started=bool(earned),
                passed=not undone,
                unseen=unseen,
                next=undone[0] if undone else "",
                read=sum(read.get(exercise.id, {}).values()),
                minutes=sum(minutes for _, minutes, _ in open_tasks),
                level=next((level for tests, _, level in open_tasks if undone[0] in tests), ""),
            )
        )
    return Overview(lines)


def overview() -> Overview | None:
    """Show your points over all exercises, and where to go on. For the last line of a cell."""
    try:
        return summary()
    except GradingError as error:
        print(f"No points to show: {error}.")
        return None
