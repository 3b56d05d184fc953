"""Grades one exercise: takes the learner's answers, puts the tests back as they were given, runs all of it, counts
points."""

from __future__ import annotations

from typing import Any

from minigrad_course.grading import process
from minigrad_course.grading.cells import GradingError, assemble, authors_cells, grade_id, kind, release
from minigrad_course.grading.exercises import Exercise
from minigrad_course.grading.outcome import Outcome, one_line, overwritten_message
from minigrad_course.grading.points_table import Report
from minigrad_course.grading.sheet import Sheet


def grade(exercise: Exercise, full: bool = False, limit: float = 30.0) -> Report:
    """Run an exercise; `full` adds the hidden tests. No cell may take longer than `limit` seconds.

    Raises GradingError, in a sentence, where there is nothing that could be graded.
    """
    notebook, trusted = exercise.read(), exercise.full()
    if trusted is None and full:
        raise GradingError(
            f"the hidden tests of {exercise.id} are not here (solutions/{exercise.id} is missing): in a class they "
            "stay with your instructor. Without --full the others run"
        )
    sheet = exercise.sheet(full)
    # Without the author's notebook the public tests come from the sheet.
    cells, notes = assemble(notebook, sheet.released() if trusted is None else trusted if full else release(trusted))
    author = authors_cells(trusted) if trusted is not None and full else ()
    outcomes = process.run(cells, exercise.notebook.parent, limit, sheet.redefined, author)
    result = report(sheet, cells, outcomes, full, notes)
    result.at_hand = exercise.has_hidden
    return result


def report(
    sheet: Sheet, cells: list[Any], outcomes: list[Outcome], full: bool, notes: list[str] | None = None
) -> Report:
    """Make the points table from the outcomes of the cells."""
    ended: dict[str, Outcome] = {}
    notes = list(notes or [])
    overwritten: set[str] = set()
    original: set[str] = set()  # locked cells that ran as they were given
    for cell, outcome in zip(cells, outcomes, strict=True):
        name = grade_id(cell)
        overwritten.update(outcome.overwritten)
        if name in sheet.given and sheet.is_original(name, cell["source"]):
            original.add(name)
        if name in sheet.tests:
            if kind(cell) == "test" and sheet.is_original(name, cell["source"]):
                ended[name] = sheet.relying_on(name, original, outcome)
        elif kind(cell) in ("solution", "given") and outcome.status != "ok" and not outcome.unwritten:
            reason = (
                outcome.message if outcome.status == "timeout" else f"{outcome.error}: {outcome.message}".strip(": ")
            )
            notes.append(f"the cell `{name}` did not run to its end: {one_line(reason) or 'the kernel died'}")
    if overwritten:
        notes.append(overwritten_message(tuple(sorted(overwritten))))
    missing = Outcome("refused", message="this test is not there as it was given, so it earns nothing")
    answers = {grade_id(cell): cell["source"] for cell in cells if kind(cell) == "solution"}
    rows = sheet.rows({name: ended.get(name, missing) for name in sheet.tests}, answers)
    return Report(sheet.exercise, rows, full=full, hidden=sheet.hidden, notes=notes)
