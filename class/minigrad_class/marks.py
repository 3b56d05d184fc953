"""The points of a class in one exercise: what the tests gave, what persons gave, and what nobody has given yet.

What is not graded has no points, and never 0: `None` here, an empty field in the table of grades.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from minigrad_class import times
from minigrad_class.assignment import Assignment
from minigrad_class.notebook_reader import reader_for
from minigrad_class.repair import Repaired, identical
from minigrad_class.roster import called
from minigrad_class.store import Store
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.outcome import Outcome, Row

HIDDEN = "a hidden check"  # what is said of it, and not what it expected


@dataclass
class Submission:
    """One student's notebook, mended; or why it cannot be."""

    student: str
    path: Path
    repaired: Repaired | None = None
    key: str = ""  # of its result
    problem: str = ""


@dataclass
class Mark:
    """One student's points in one exercise."""

    student: str
    rows: list[Row] = field(default_factory=list)  # one for each test
    status: str = "ungraded"  # "graded", "ungraded", "missing"
    of: float = 0.0
    notes: list[str] = field(default_factory=list)  # for the student
    doubts: list[str] = field(default_factory=list)  # for a person
    answers: dict[str, str] = field(default_factory=dict)
    name: str = ""  # as the class list has it
    time: str = ""  # when it was handed in
    late: str = ""  # how late that is

    @property
    def points(self) -> float | None:
        """All points; None as long as any are not given."""
        if self.status != "graded":
            return None
        return sum(row.points or 0.0 for row in self.rows)


def read_submissions(assignment: Assignment, folder: Path) -> list[Submission]:
    """The submissions that were collected, mended."""
    submissions = []
    with reader_for([assignment]) as reader:
        for path in sorted((folder / "submitted").glob(f"*/{assignment.id}/{assignment.id}.ipynb")):
            submission = Submission(path.parent.parent.name, path)
            try:
                if path.is_symlink() or not path.is_file():
                    raise GradingError("it is no ordinary file")
                submission.repaired = reader.repaired(path, assignment.id)
                submission.key = assignment.key(submission.repaired)
            except GradingError as error:
                submission.problem = str(error)
            submissions.append(submission)
    return submissions


def make_marks(
    assignment: Assignment,
    submissions: Iterable[Submission],
    store: Store,
    roster: Iterable[str] = (),
    show_hidden: bool = False,
    handed_in: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Mark]:
    """Everybody's points. `handed_in`: who has handed in what could not be collected, and why: they are not missing.
    `names`: student -> name."""
    names = names or {}
    submissions = list(submissions)
    same = _identical(assignment, submissions)
    marks = []
    for submission in submissions:
        result = store.get(submission.key) if submission.key else None
        try:
            mark = _mark(assignment, submission, result, show_hidden)
        except Exception as error:  # a result that is damaged: this student's trouble, and nobody else's
            reason = f"no points could be made of the result ({type(error).__name__}): --again {submission.student}"
            mark = Mark(submission.student, of=assignment.of, doubts=[reason])
        twins = [student for student in same.get(submission.student, []) if student != submission.student]
        if twins:
            mark.doubts.append(
                f"the same answers, letter by letter, as {', '.join(called(one, names) for one in twins[:5])}"
            )
        marks.append(mark)
    present = {mark.student.casefold() for mark in marks}
    for student, reason in (handed_in or {}).items():
        if student.casefold() not in present:
            present.add(student.casefold())
            marks.append(_not_collected(assignment, student, reason))
    missing = [
        Mark(student, status="missing", of=assignment.of) for student in roster if student.casefold() not in present
    ]
    for mark in (*marks, *missing):
        mark.name = names.get(mark.student, "")
    return sorted([*marks, *missing], key=lambda mark: mark.student.casefold())


def note_times(marks: Iterable[Mark], moments: Mapping[str, str], due: str) -> None:
    """Note when everybody handed in, and how late that was."""
    for mark in marks:
        mark.time = moments.get(mark.student, "")
        mark.late = times.late(mark.time, due)


def _mark(assignment: Assignment, submission: Submission, result: dict[str, Any] | None, show_hidden: bool) -> Mark:
    mark = Mark(submission.student, of=assignment.of)
    outcomes = dict.fromkeys(assignment.sheet.tests, Outcome("not run"))
    hidden: set[str] = set()
    if submission.repaired is None:
        mark.doubts.append(f"the notebook cannot be read: {submission.problem}")
    elif result is None:
        mark.doubts.append("not graded yet")
    elif "ungraded" in result:
        mark.doubts.append(f"grading failed: {result['ungraded']}")
    else:
        outcomes |= {n: Outcome(**{**o, "overwritten": tuple(o["overwritten"])}) for n, o in result["outcomes"].items()}
        hidden = set(result["hidden"])
        mark.notes += result["notes"]
    mark.answers = _answers(submission.repaired) if submission.repaired is not None else {}
    rows = assignment.sheet.rows({name: outcomes[name] for name in assignment.sheet.tests}, mark.answers)
    if not show_hidden:
        rows = [_without_secret(row) if row.test in hidden else row for row in rows]
    mark.rows = rows
    if submission.repaired is not None:
        mark.notes = [*submission.repaired.notes, *mark.notes]
        mark.doubts = [*submission.repaired.doubts, *mark.doubts]
    if open_tests := [row.test for row in rows if row.points is None]:
        if result is not None and "ungraded" not in result:
            mark.doubts.append(f"no time was left to run {', '.join(open_tests)}")
    else:
        mark.status = "graded"
    return mark


def _not_collected(assignment: Assignment, student: str, reason: str) -> Mark:
    tests = {name: Outcome("not run") for name in assignment.sheet.tests}
    sentence = f"handed in, and not collected: {reason}"
    return Mark(student, assignment.sheet.rows(tests), "ungraded", assignment.of, [sentence], [sentence])


def _without_secret(row: Row) -> Row:
    """Hide the expected value of a hidden check: only its place is reported."""
    place, colon, _ = row.feedback.partition(": expected")
    return replace(row, feedback=f"{HIDDEN} failed{f' ({place})' if colon else ''}")


def _answers(repaired: Repaired) -> dict[str, str]:
    answers: dict[str, str] = {}
    for cell in repaired.cells:
        if cell["kind"] == "solution":
            before = answers.get(cell["name"])
            answers[cell["name"]] = f"{before}\n\n{cell['source']}" if before else cell["source"]
    return answers | repaired.essays


def _identical(assignment: Assignment, submissions: list[Submission]) -> dict[str, list[str]]:
    """For every student with the very answers of another one: all who have them. Empty answers do not count."""
    empty = assignment.example(solved=False)
    nothing = _answers(empty).values()
    prints = {}
    for submission in submissions:
        if submission.repaired is not None:
            answers = {name: text for name, text in _answers(submission.repaired).items() if text not in nothing}
            if sum(map(len, answers.values())) > 200:
                prints[submission.student] = sha256(repr(sorted(answers.items())).encode()).hexdigest()
    return {student: group for group in identical(prints) for student in group}
