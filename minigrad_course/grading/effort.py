"""Authors' estimates: how long each task of an exercise takes, and how difficult it is.

A task's heading in the source names its difficulty, `## Task 2 · Multiply (2 points, easy)`, by this rule:

    easy      one idea of the lesson; the statement says what to do, and the answer is that, in code
    medium    the statement says what has to come out, and how is yours to find: an order, shapes, a case at the edge,
              an equation to be solved first
    hard      several ideas have to hold at once, or the obvious way is closed: by a limit, or by a derivation of steps

The minutes follow from the difficulty, the text and the solution, as below. Nobody was timed: they are estimates, and
say so. The build writes both under the task's heading, their sum under the exercise's title, and both into tests.json.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from minigrad_course.grading.cells import SOLUTION, GradingError, Notebook, grade_id, kind

TO_FIND = {"easy": 2, "medium": 5, "hard": 15}  # minutes until the way is clear
TO_WRITE = 2  # minutes for a line of the solution, with its mistakes; each number of a table counts as a line
WORDS = 100  # of the statement in a minute: it is read twice, at 200
STEP = 5  # minutes are said in steps of so many, and are never fewer

HEADING = re.compile(r"^(## Task \d+ · .*?\(\d+ points?)(?:, (\w+))?\)$", re.MULTILINE)
SAID = re.compile(r"^\*About (\d+) minutes · (\w+)\*$", re.MULTILINE)
IN_ALL = "*About {} minutes in all. This is an estimate: nobody was timed.*"


def say(notebook: Notebook) -> None:
    """Put minutes and difficulty under the headings of an exercise's tasks, and the sum under its title.

    Raises GradingError where a heading names no difficulty, or one that is unknown.
    """
    total = 0
    for cells in _tasks(notebook):
        heading = HEADING.search(cells[0]["source"])
        assert heading is not None
        level = heading[2]
        if level not in TO_FIND:
            raise GradingError(f"{heading[0]!r} has to end with a difficulty, as in (2 points, {'|'.join(TO_FIND)})")
        total += (minutes := _minutes(level, cells))
        line = f"{heading[1]})\n\n*About {minutes} minutes · {level}*"
        cells[0]["source"] = cells[0]["source"].replace(heading[0], line, 1)
    if total:
        title, _, text = notebook["cells"][0]["source"].partition("\n")
        notebook["cells"][0]["source"] = f"{title}\n\n{IN_ALL.format(total)}\n{text}"


def read(notebook: Notebook) -> list[list]:
    """List [tests, minutes, difficulty] of each task of a notebook in which they were said."""
    tasks = []
    for first, *others in _tasks(notebook):
        if words := SAID.search(first["source"]):
            tests = [grade_id(cell) for cell in others if kind(cell) in ("test", "essay")]
            tasks.append([tests, int(words[1]), words[2]])
    return tasks


def _tasks(notebook: Notebook) -> list[list[Any]]:
    """Part a notebook into tasks: lists of cells, from one with a task's heading up to the next heading."""
    tasks: list[list[Any]] = [[]]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and re.search("^## ", cell["source"], re.MULTILINE):
            tasks.append([])
        tasks[-1].append(cell)
    return [cells for cells in tasks if cells and HEADING.search(cells[0]["source"])]


def _minutes(level: str, cells: list[Any]) -> int:
    words = sum(len(cell["source"].split()) for cell in cells if cell["cell_type"] == "markdown")
    lines = sum(_lines(cell["source"]) for cell in cells if kind(cell) == "solution")
    exact = words / WORDS + TO_FIND[level] + TO_WRITE * lines
    return max(1, round(exact / STEP)) * STEP


def _lines(source: str) -> int:
    """Count what a learner writes: the lines of a solution, and the numbers of a table that it fills in."""
    inside, lines = False, 0
    for line in source.split("\n"):
        if line.strip() in SOLUTION:
            inside = line.strip() == SOLUTION[0]
        elif inside and line.strip() and not line.strip().startswith("#"):
            lines += 1
    tables = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Dict)]
    numbers = [sum(isinstance(value, ast.Constant | ast.UnaryOp) for value in table.values) for table in tables]
    return lines + sum(number - 1 for number in numbers if number)
