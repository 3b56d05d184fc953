"""`minigrad project`: begin at a milestone, write the page of an engine, grade the engines of a class."""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from minigrad.guards.installation import command
from minigrad_course import instructors
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import course_folder
from minigrad_course.project import FILE, mine
from minigrad_course.project.engine_states import ENGINE, LAST, in_use, state


def register(commands: argparse._SubParsersAction) -> None:
    """Add `minigrad project` to the command line."""
    parser = commands.add_parser("project", help="your own engine: start at a milestone, make its page")
    steps = parser.add_subparsers(title="steps", metavar="step", required=True)
    step = steps.add_parser(
        "start", help="write project/mine.py as ours is before a milestone; yours is kept as a copy"
    )
    step.add_argument("milestone", type=int, help="1 for an empty frame, 5 for ours up to milestone 4")
    step.add_argument("--to", type=Path, help="write it there instead, to be read or handed out")
    step.set_defaults(run=run_start)
    step = steps.add_parser("page", help="a page about your engine: what it can do, how it trains, its graph")
    step.add_argument("file", nargs="?", type=Path, help="an engine (project/mine.py)")
    step.set_defaults(run=run_page)
    step = steps.add_parser("class", help="instructors: grade many engines, in the class's sandbox, into a table")
    step.add_argument("files", nargs="+", type=Path, help="engines, a file for each student")
    step.add_argument("--table", type=Path, default=Path("project.csv"), help="(project.csv)")
    step.add_argument("--no-sandbox", action="store_true", help="run them as they are: only if you trust each of them")
    step.add_argument("--workers", type=int, default=2, metavar="N", help="how many at once (2)")
    step.set_defaults(run=run_class)


def grade(files: list[Path]) -> int:
    """`minigrad grade project`: 0 when nothing failed, 1 when something did."""
    from minigrad_course.grading.points_table import text
    from minigrad_course.project.verdict import judge

    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    status = 0
    for file in files or [mine()]:
        verdict = judge(file)
        print(file)
        print(text(verdict, width))
        if verdict.lines:
            print("\n  The smallest graph on which it fails:\n", *(f"\n      {line}" for line in verdict.lines), sep="")
        status = max(status, 0 if verdict.passed else 1)
    return status


def run_start(arguments: argparse.Namespace) -> int:
    """Write the state; what was there is kept beside it."""
    course = course_folder()
    target = arguments.to or course / FILE
    kept = begin(course, arguments.milestone, target)
    what = "an empty frame." if arguments.milestone == 1 else f"ours, before milestone {arguments.milestone}."
    print(f"{target}: {what}")
    if kept is not None:
        print(f"Yours is kept as {kept.name}.")
    if arguments.to is None:
        print(f"Go on in {course / 'project' / 'project.ipynb'}; `{command('grade', 'project')}` says how it stands.")
    return 0


def begin(course: Path, milestone: int, target: Path) -> Path | None:
    """Write our engine as it is before `milestone`. What is there and is somebody's own is kept under a new name, which
    is returned.

    Raises GradingError where there is no such milestone, or where the course came without its solutions.
    """
    if not 1 <= milestone <= LAST:
        raise GradingError(f"the project has milestones 1 to {LAST}, there is no {milestone}")
    source = course / ENGINE
    if not source.is_file():
        raise GradingError(f"{source} is not there: a course without solutions has no engine to start from")
    engine = source.read_text(encoding="utf-8")
    kept = None
    if in_use(target, engine):
        stamp = time.strftime("%Y-%m-%d_%H%M%S")
        names = (target.with_name(f"{target.stem}_{stamp}{f'_{k}' if k else ''}.py") for k in range(1000))
        kept = next(path for path in names if not path.exists())
        shutil.copy2(target, kept)
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f"{target.name}.part")
    half.write_text(state(engine, milestone - 1), encoding="utf-8", newline="\n")
    half.replace(target)
    return kept


def run_page(arguments: argparse.Namespace) -> int:
    """Write the page."""
    from minigrad_course.project import page

    print(f"wrote {page(file=arguments.file)}")
    return 0


def run_class(arguments: argparse.Namespace) -> int:
    """Grade the engines of a class, where minigrad_class is installed."""
    return instructors.module("engines").run(arguments)
