"""For authors: is an exercise fit for learners? `python -m minigrad_course.grading.review [05 ...]`

Shows, for the solution, the empty exercise and each wrong answer, its points, and the line and the hint that its writer
would read; then complaints. CI asks for the same. Takes seconds: no kernel is started.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from minigrad_course.grading.cells import GradingError, grade_id, kind, release
from minigrad_course.grading.make_notebooks import read_rehearsal
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.rehearse import Rehearsal, perform
from minigrad_course.grading.sheet import advice
from minigrad_course.grading.wrong_table import Wrong

ENOUGH = 4  # wrong answers


def review(rehearsal: Rehearsal, asked: slice = slice(None)) -> Iterator[tuple[str, list[Row], list[str]]]:
    """Yield for each way to answer an exercise its name, the rows of its tests, and complaints.

    asked: which of its wrong answers to try.
    """
    full, wrong, sheet = rehearsal.full, rehearsal.wrong, rehearsal.sheet(public=False, slips=False)
    sheet.over(rehearsal.sheet(public=True, slips=False))

    for which in ("public", "all"):
        rows = sheet.rows(rehearsal.outcomes(public=which == "public"))
        losses = [f"loses points in {row.test}: {row.feedback}" for row in rows if not row.passed]
        yield f"the solution, {which} tests", rows, losses
    rows = sheet.rows(perform(release(full)))
    gifts = [f"earns {row.points:g} in {row.test}" for row in rows if row.points]
    unkind = [f"{row.test} says: {row.feedback} {row.hint}" for row in rows if row.feedback != "not written yet"]
    yield "the empty exercise", rows, gifts or unkind

    for entry in wrong[asked]:
        rows = sheet.rows(rehearsal.outcomes({entry.replaces: entry.source}), {entry.replaces: entry.source})
        lost = sum(row.of - (row.points or 0.0) for row in rows)
        answer = next((cell["source"] for cell in full["cells"] if grade_id(cell) == entry.replaces), "")
        complaints = list(complaints_about(entry, rows, lost, answer))
        yield entry.name, rows, complaints

    tests = [cell for cell in rehearsal.public["cells"] if kind(cell) == "test"]
    silent = [grade_id(cell) for cell in tests if not advice(cell["source"])]
    general = [f"{name} has no advice: a comment that starts with `# Stuck?`" for name in silent]
    if len(wrong) < ENOUGH:
        general.append(f"{len(wrong)} wrong answers: at least {ENOUGH} are asked for")
    answers = {grade_id(cell) for cell in full["cells"] if kind(cell) == "solution"}
    untried = answers - {entry.replaces for entry in wrong}
    general += [f"no wrong answer replaces {name}" for name in sorted(untried)]
    yield "in general", [], general


def complaints_about(entry: Wrong, rows: list[Row], lost: float, answer: str) -> Iterator[str]:
    if not lost:
        yield "loses nothing: no test sees the mistake"
    elif abs(lost - entry.loses) > 1e-9:
        yield f"loses {lost:g}, and says that it loses {entry.loses:g}"
    if not any(entry.hint in row.hint for row in rows):
        yield "its writer does not meet its hint: do many other wrong answers end with the same line?"
    if not 40 < len(entry.hint) < 320 or entry.hint[-1] not in ".?":
        yield "the hint should be a sentence or two, of 40 to 320 characters"
    lines = [line.strip() for line in answer.splitlines() if len(line.strip()) > 20]
    if any(line in entry.hint for line in lines):
        yield "the hint contains a line of the solution"


def main(arguments: list[str] | None = None) -> int:
    """Review exercises: 0 when they are fit for learners, 1 when something is not."""
    parser = argparse.ArgumentParser(
        prog="python -m minigrad_course.grading.review", description=__doc__.split("\n")[0]
    )
    parser.add_argument("exercise", nargs="*", help="05, or its full name; none: all")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository (default: this folder)")
    options = parser.parse_args(arguments)
    every = sorted((options.root / "sources" / "exercises").glob("*/exercise.py"))
    chosen = [s for s in every if not options.exercise or s.parent.name.startswith(tuple(options.exercise))]
    if not chosen:
        print(f"review: there is no such exercise in {options.root / 'sources' / 'exercises'}", file=sys.stderr)
        return 1
    fit = True
    for source in chosen:
        print(source.parent.name)
        try:
            for what, rows, complaints in review(read_rehearsal(source)):
                fit &= not complaints
                _show(what, rows, complaints)
        except GradingError as error:
            print(f"review: {error}", file=sys.stderr)
            fit = False
    print("\nFit for learners." if fit else "\nNot fit for learners yet: see the lines with an exclamation mark.")
    return 0 if fit else 1


def _show(what: str, rows: list[Row], complaints: list[str]) -> None:
    if not rows and not complaints:
        return
    points, of = sum(row.points or 0.0 for row in rows), sum(row.of for row in rows)
    print(f"\n  {what}" + (f": {points:g} of {of:g}" if rows else ""))
    first = next((row for row in rows if not row.passed), None)
    if first is not None and what.startswith("wrong"):
        print(f"      {first.test}: {first.feedback}")
        print(f"      Hint: {first.hint}")
    for complaint in complaints:
        print(f"    ! {complaint}")


if __name__ == "__main__":
    sys.exit(main())
