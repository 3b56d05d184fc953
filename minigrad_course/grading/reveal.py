"""The solution of an answer, line by line, for learners who have tried three times. It costs no points.

    grading.solution("order")      in the exercise's notebook
    minigrad solution 05 order     in the shell

Each call shows one line more. A try is a run of one of the answer's tests that earned less than all of its points
(progress.py). What was shown is kept beside the points, and `minigrad progress` says so. The lines stand in the
author's notebook: where the course came without its solutions, as in a class, there is nothing to show.
"""

from __future__ import annotations

import argparse
import html

from minigrad_course.grading import progress
from minigrad_course.grading.cells import SOLUTION, GradingError, grade_id
from minigrad_course.grading.exercises import Exercise
from minigrad_course.grading.sheet import Sheet

TRIES = 3
# Lines that are too long scroll: JupyterLab would break them, and Python's indentation with them.
_CODE = (
    "margin:0 0 .5em;padding:.2em .6em;border-left:3px solid rgba(128,128,128,.4);white-space:pre;overflow-x:auto;"
    "font-size:var(--jp-code-font-size,inherit)"
)


class Lines:
    """The first lines of a solution, and a remark on how to go on."""

    def __init__(self, text: str, remark: str) -> None:
        self.text, self.remark = text, remark

    def __repr__(self) -> str:
        return f"{self.text}\n\n{self.remark}" if self.text else self.remark

    def _repr_html_(self) -> str:
        code = f'<pre style="{_CODE}">{html.escape(self.text)}</pre>' if self.text else ""
        return f'<div class="minigrad-line">{code}<span style="opacity:.7">{html.escape(self.remark)}</span></div>'


def next_line(exercise: Exercise, answer: str, ask: str) -> Lines:
    """Show one more line of the solution of an answer, and note it. `ask` is how the learner asks again.

    Raises GradingError where there is no such answer, or where the course came without its solutions.
    """
    tests = answers_of(exercise.sheet())
    if answer not in tests:
        raise GradingError(f"{exercise.id} has no answer {answer!r}; it has: {', '.join(tests)}")
    source = _source(exercise, answer)
    if source is None:
        raise GradingError(f"the solutions of {exercise.id} are not here: in a class they stay with the instructor")
    tried = progress.tries(exercise.course, exercise.id, tests[answer])
    if tried < TRIES and not progress.Progress(exercise.course).passed(exercise.id, tests[answer]):
        again = "again" if tried else "first"
        return Lines("", f"{tried} of {TRIES} tries: run {tests[answer][0]} {again}. After {TRIES} you may ask.")
    before, lines = _parts(source)
    number = min(progress.lines_shown(exercise.course).get(exercise.id, {}).get(answer, 0) + 1, len(lines))
    progress.keep(exercise.course, progress.SHOWN, {"exercise": exercise.id, "answer": answer, "lines": number})
    go_on = f"; {ask} shows the next" if number < len(lines) else ""
    return Lines("\n".join([*before, *lines[:number]]), f"Line {number} of {len(lines)} of the solution{go_on}.")


def answers_of(sheet: Sheet) -> dict[str, list[str]]:
    """Return the tests of each answer: those between it and the next one."""
    tests: dict[str, list[str]] = {}
    for kind, name, _ in sheet.cells:
        if kind == "solution":
            tests[name] = []
        elif kind == "test" and tests:
            tests[list(tests)[-1]].append(name)
    return {answer: names for answer, names in tests.items() if names}


def offer(exercise: Exercise, failed: str) -> str:
    """Return the answer whose solution may be asked for after this test failed; empty if none may."""
    if progress.tries(exercise.course, exercise.id, [failed]) < TRIES:
        return ""
    answer = next((answer for answer, tests in answers_of(exercise.sheet()).items() if failed in tests), "")
    return answer if answer and _source(exercise, answer) is not None else ""


def _source(exercise: Exercise, answer: str) -> str | None:
    """Read an answer from the author's notebook; None where that is not here."""
    notebook = exercise.full() or {"cells": []}
    return next((cell["source"] for cell in notebook["cells"] if grade_id(cell) == answer), None)


def _parts(source: str) -> tuple[list[str], list[str]]:
    """Part an answer into what the learner was given above it, and the lines to show: those that are not empty.

    Where an answer has several functions, the heads of the later ones are lines like others.
    """
    begin, end = SOLUTION
    all_lines = source.split("\n")
    first = next(k for k, line in enumerate(all_lines) if line.strip() == begin)
    own = [line for line in all_lines[first:] if line.strip() and line.strip() not in (begin, end)]
    return [line for line in all_lines[:first] if line.strip()], own


def register(commands: argparse._SubParsersAction) -> None:
    """Add `solution` to the commands."""
    parser = commands.add_parser(
        "solution",
        help="show the next line of a solution, after three tries",
        description="Shows the solution of an answer, one line more with each call, once its tests were tried three "
        "times. It costs no points, and `minigrad progress` says that it was read.",
    )
    parser.add_argument("exercise", help="05, or its full name")
    parser.add_argument("answer", nargs="?", default="", help="the name of the answer; without one all are listed")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 when a line is shown, or the answers are listed; 1 when it is too early for a line."""
    from minigrad_course.grading.exercises import find
    from minigrad_course.grading.points_table import short

    (exercise,) = find([arguments.exercise])
    if not arguments.answer:
        print(f"The answers of {exercise.id}: {', '.join(answers_of(exercise.sheet()))}")
        return 0
    lines = next_line(exercise, arguments.answer, f"minigrad solution {short(exercise.id)} {arguments.answer}")
    print(lines)
    return 0 if lines.text else 1
