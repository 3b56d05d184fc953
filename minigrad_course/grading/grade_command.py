"""`minigrad grade [exercise ...]`: the points table in the shell."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from minigrad_course.grading.cells import GradingError

if TYPE_CHECKING:
    from minigrad_course.grading.exercises import Exercise
    from minigrad_course.grading.points_table import Report


def register(commands: argparse._SubParsersAction) -> None:
    """Add `grade` to the commands."""
    parser = commands.add_parser(
        "grade",
        help="check exercises and show the points",
        description="Runs saved exercise notebooks from top to bottom; shows points, feedback and hints.",
    )
    parser.add_argument(
        "exercise",
        nargs="*",
        help="05, or its full name, or a notebook; project: your own engine; none: all that are started",
    )
    parser.add_argument("--full", action="store_true", help="run the hidden tests as well")
    parser.add_argument(
        "--timeout", type=_seconds, default=30.0, metavar="SECONDS", help="of computing, for each cell (30)"
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="of the hidden tests' inputs: the seed that a line ends with"
    )
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e6:
        raise ValueError
    return seconds


_seconds.__name__ = "number of seconds"  # argparse says: invalid ... value


def run(arguments: argparse.Namespace) -> int:
    """0 when every test that ran earned all of its points, 1 when one did not, 2 when an exercise cannot be graded."""
    from minigrad_course.grading.cases import SEED
    from minigrad_course.grading.exercises import find
    from minigrad_course.grading.grade import grade
    from minigrad_course.grading.points_table import text

    engines = [name for name in arguments.exercise if name == "project" or name.endswith(".py")]
    if engines:
        from minigrad_course.project.project_command import grade as grade_engines

        status = grade_engines([Path(name) for name in engines if name != "project"])
        arguments.exercise = [name for name in arguments.exercise if name not in engines]
        if not arguments.exercise:
            return status
    exercises = find(arguments.exercise)
    if not exercises:
        print("No exercise is started yet: open one in exercises/, write an answer, save it (Ctrl+S), and come back.")
        return 0
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    status = 0
    if arguments.seed is not None:
        os.environ[SEED] = str(arguments.seed)
    for i, exercise in enumerate(exercises):
        print("\n" if i else "", end="", flush=True)
        try:
            report = grade(exercise, full=arguments.full, limit=arguments.timeout)
        except GradingError as error:
            print(f"minigrad: {error}", file=sys.stderr)
            status = 2
            continue
        print(text(report, width), flush=True)
        _keep(exercise, report)
        status = max(status, 0 if report.passed else 1)
    return status


def _keep(exercise: Exercise, report: Report) -> None:
    """Count the points as the learner's own, if the notebook is the one in the course."""
    from minigrad_course.grading.progress import Progress

    own = exercise.course / "exercises" / exercise.id / f"{exercise.id}.ipynb"
    if os.environ.get("MINIGRAD_LIVE") == "off" or not own.exists() or not own.samefile(exercise.notebook):
        return
    if not Progress(exercise.course).note(exercise.id, report.rows, report.full):
        print("\n  Note: these points could not be kept: neither the course's folder nor your home can be written.")
    _offer(exercise, report)


def _offer(exercise: Exercise, report: Report) -> None:
    """Say how to read the solution of the next answer, where there have been tries enough."""
    from minigrad_course.grading.points_table import short
    from minigrad_course.grading.reveal import offer

    failed = next((row.test for row in report.rows if not row.passed), "")
    answer = offer(exercise, failed) if failed else ""
    if answer:
        print(f"\n  minigrad solution {short(exercise.id)} {answer} shows the next line of the solution.")
