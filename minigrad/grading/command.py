"""`minigrad grade [exercise ...]`: the points table in the shell."""

from __future__ import annotations

import argparse
import shutil


def register(commands: argparse._SubParsersAction) -> None:
    """Add `grade` to the commands."""
    parser = commands.add_parser(
        "grade",
        help="check exercises and show the points",
        description="Runs saved exercise notebooks in a fresh kernel; shows points, feedback and hints.",
    )
    parser.add_argument("exercise", nargs="*", help="05, or its full name, or a notebook; none: all that are started")
    parser.add_argument("--full", action="store_true", help="run the hidden tests as well")
    parser.add_argument("--timeout", type=float, default=30.0, metavar="SECONDS", help="time limit for each cell (30)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """0 when every test that ran earned all of its points, else 1."""
    from minigrad.grading.exercises import find
    from minigrad.grading.grade import grade
    from minigrad.grading.report import text

    exercises = find(arguments.exercise)
    if not exercises:
        print("No exercise is started yet: open one in exercises/, write an answer, save it (Ctrl+S), and come back.")
        return 0
    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    passed = True
    for i, exercise in enumerate(exercises):
        report = grade(exercise, full=arguments.full, limit=arguments.timeout)
        print(("\n" if i else "") + text(report, width), flush=True)
        passed &= report.passed
    return 0 if passed else 1
