"""`minigrad tutor 05`: what a learner may give to any assistant, so that it asks and does not tell.

All of it stands in the learner's own notebook or under its tests: the task, the cells that were given, the learner's
answer, the line of the first test that fails, and its hint. Solutions and hidden tests are not read.
"""

from __future__ import annotations

import argparse

from minigrad_course.grading.cells import HIDDEN, SOLUTION, GradingError, Notebook, grade_id, kind
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.reveal import answers_of
from minigrad_course.grading.sheet import Sheet

INSTRUCTION = """\
I am working on an exercise about automatic differentiation, and want to find my mistake myself. Be my tutor.

- Ask one short question at a time, and wait for my answer.
- Write no code for me, and correct none of mine. Do not say what the mistake is, not even if I ask for it.
- Let me compute an example by hand, predict what a line of mine does, or compare two numbers. If my answer is wrong,
  ask about a smaller case.
- If I do not know what a word means, explain it with another example than that of the task.
- When my test passes, ask me why it does."""


def register(commands: argparse._SubParsersAction) -> None:
    """Add `tutor` to the commands."""
    parser = commands.add_parser(
        "tutor",
        help="print what to give to an assistant, so that it asks and does not tell",
        description="Runs the public tests of a saved exercise; prints the task, your answer, the line of the "
        "first test that fails and its hint, with the request to ask and not to tell. Nothing is sent to anybody.",
    )
    parser.add_argument("exercise", help="05, or its full name")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 when every public test passes, 1 when there is something to ask about."""
    from minigrad_course.grading.exercises import find
    from minigrad_course.grading.grade import grade

    (exercise,) = find([arguments.exercise])
    row = next((row for row in grade(exercise).rows if not row.passed), None)
    if row is None:
        print(f"All public tests of {exercise.id} pass: there is no mistake to ask about.")
        return 0
    print(prompt(exercise.sheet(), exercise.read(), row))
    return 1


def prompt(sheet: Sheet, notebook: Notebook, row: Row) -> str:
    """Return the text for an assistant about a test that failed.

    Raises GradingError for an author's notebook, which holds solutions and hidden tests.
    """
    cells = notebook["cells"]
    if any(mark in cell["source"] for cell in cells for mark in (*SOLUTION, *HIDDEN)):
        raise GradingError("this is an author's notebook, with solutions: ask about your own, in exercises/")
    end = next((k for k, cell in enumerate(cells) if grade_id(cell) == row.test), len(cells))
    start = max((k for k, cell in enumerate(cells[:end]) if _begins_task(cell)), default=0)
    task = [cell["source"] for cell in cells[start:end] if cell["cell_type"] == "markdown"]
    locked = [_code(cell["source"]) for cell in cells[:end] if kind(cell) == "given"]
    names = _answers(sheet, row.test)
    answers = [_code(cell["source"]) for cell in cells if grade_id(cell) in names]
    parts = [INSTRUCTION, "# The task", *task, "# What the notebook has above it", *locked, "# My answer", *answers]
    parts += ["# What the test says", f"{row.test}: {row.feedback}"]
    if hint := row.hint or sheet.tests[row.test].advice:
        parts += ["# Its hint, which I have read: make questions of it", hint]
    return "\n\n".join(parts)


def _begins_task(cell: Notebook) -> bool:
    return cell["cell_type"] == "markdown" and cell["source"].startswith("## ")


def _answers(sheet: Sheet, test: str) -> set[str]:
    """Return the names of the answers that a test is about: its own, and those of the tests that it builds on."""
    tests = {test, *sheet.tests[test].builds_on}
    return {answer for answer, own in answers_of(sheet).items() if tests & {*own}}


def _code(source: str) -> str:
    return f"```python\n{source}\n```"
