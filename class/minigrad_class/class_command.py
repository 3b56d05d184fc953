"""`minigrad class`: release an exercise, collect submissions, grade them, report. The guide is docs/instructors.md."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from minigrad_course.grading.cells import GradingError


def register(commands: argparse._SubParsersAction) -> None:
    """Add `class` to the commands."""
    parser = commands.add_parser(
        "class",
        help="for instructors: hand out, collect and grade an exercise of a class",
        description="Hand out an exercise, collect a class's submissions, grade them in a sandbox, give feedback.",
    )
    steps = parser.add_subparsers(title="steps", metavar="step", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("exercise", help="05, or its full name")
    common.add_argument("--folder", type=Path, default=Path("grading"), help="where the class is kept (grading)")
    walled = argparse.ArgumentParser(add_help=False)
    walled.add_argument("--no-sandbox", action="store_true", help="run submissions without a sandbox: trust them all")
    walled.add_argument("--limit", type=float, default=20.0, metavar="SECONDS", help="time limit for each cell (20)")
    walled.add_argument("--total", type=float, default=300.0, metavar="SECONDS", help="... for each submission (300)")
    listed = argparse.ArgumentParser(add_help=False)
    listed.add_argument("--roster", type=Path, metavar="CSV", help="class list, ids first; it is kept")

    step = steps.add_parser("course", help="pack the course for students: without solutions and hidden tests")
    step.add_argument("target", type=Path, help="course.zip, or a folder")
    step.set_defaults(run=_step("course"), folder=None)
    step = steps.add_parser("variants", help="make other exercises for a term, and the course with them")
    step.add_argument("--term", required=True, metavar="NAME", help="2027S: the same name gives the same exercises")
    step.add_argument(
        "--after", action="append", default=[], metavar="NAME", help="an earlier term, whose answers shall not serve"
    )
    step.add_argument("--folder", type=Path, default=Path("grading"), help="where the term's folder is made (grading)")
    step.set_defaults(run=_step("term_course"))
    step = steps.add_parser("release", parents=[common, walled], help="see that it can be graded, and pack it")
    step.set_defaults(run=_step("release"))
    step = steps.add_parser("collect", parents=[common, listed], help="take submissions from a folder or zip")
    step.add_argument("heap", type=Path, help="what the learning platform hands out: its zip, or a folder of files")
    step.add_argument("--replace", action="store_true", help="what is handed in again counts, and not what was before")
    step.add_argument("--due", metavar="TIME", help="when it is due, '2026-11-20 18:00': what is late is named; kept")
    step.set_defaults(run=_step("collect"))
    step = steps.add_parser("grade", parents=[common, walled, listed], help="grade what is collected, and report")
    step.add_argument("--workers", type=int, default=2, metavar="N", help="how many at once (2)")
    step.add_argument("--dask", action="store_true", help="hand the work to Dask, on this machine")
    step.add_argument("--scheduler", metavar="ADDRESS", help="... or to the Dask scheduler at this address")
    step.add_argument("--again", action="append", default=[], metavar="STUDENT", help="grade this one anew")
    step.set_defaults(run=_step("grade"), show_hidden=False)
    step = steps.add_parser("report", parents=[common, listed], help="write grades and feedback anew, after reading")
    step.add_argument("--show-hidden", action="store_true", help="say in feedback what hidden checks expected")
    step.set_defaults(run=_step("report"))
    step = steps.add_parser("marks", parents=[common, listed], help="put the points into your platform's own table")
    step.add_argument("table", type=Path, help="the grades that Canvas, Moodle or Blackboard exports, as CSV or text")
    step.add_argument("--to", type=Path, metavar="FILE", help="where to write it (grading/marks-TABLE)")
    step.add_argument(
        "--column", default="", metavar="TITLE", help="the exercise's column there, or a part of its title"
    )
    step.add_argument(
        "--scale", action="store_true", help="multiply the points where the platform's maximum is another"
    )
    step.set_defaults(run=_step("marks"))
    step = steps.add_parser("gradescope", parents=[common, walled], help="an autograder for Gradescope, as a zip")
    step.set_defaults(run=_step("for_gradescope"))


def _step(name: str) -> Callable[[argparse.Namespace], int]:
    """The step of this name, in steps.py; all that it writes is closed to the other users of this machine."""

    def run(arguments: argparse.Namespace) -> int:
        from minigrad_class import steps
        from minigrad_course.grading.whole_files import private

        try:
            if arguments.folder and (arguments.folder.exists() or name not in ("grade", "report", "marks")):
                private(arguments.folder)
        except OSError as error:
            raise GradingError(f"{arguments.folder} cannot be closed to other users: {error.strerror}") from None
        return getattr(steps, name)(arguments)

    return run
