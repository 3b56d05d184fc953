"""`minigrad project`: begin at a milestone, write the page of an engine, grade the engines of a class."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import course_folder
from minigrad_course.project import FILE, mine
from minigrad_course.project.build import ENGINE, LAST, in_use, state

if TYPE_CHECKING:
    from minigrad_course.project.judge import Verdict


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
    from minigrad_course.grading.report import text
    from minigrad_course.project.judge import judge

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
        print(f"Go on in {course / 'project' / 'project.ipynb'}; `minigrad grade project` says how it stands.")
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
    """Grade each file, and write points by milestone."""
    from concurrent.futures import ThreadPoolExecutor

    from minigrad_course.grading.classroom import sandbox, tables
    from minigrad_course.project.milestones import TITLES

    sandbox.require(not arguments.no_sandbox)
    header = ["file", *(f"milestone {k}" for k in TITLES), "total", "of", "first that failed", "feedback", "remarks"]
    files: list[Path] = arguments.files
    twins = _twins(files)
    rows: list[list[Any]] = []
    with ThreadPoolExecutor(max(1, arguments.workers)) as pool:
        verdicts = pool.map(lambda path: _judged(path, not arguments.no_sandbox), files)
        for path, verdict in zip(files, verdicts, strict=True):
            if rows:
                tables.write(arguments.table, [header, *rows])  # in case that the command is interrupted
            also = [f"the same file, letter by letter, as {', '.join(twins[path][:5])}"] if twins.get(path) else []
            name = tables.safe(str(path))
            if isinstance(verdict, GradingError):
                print(f"minigrad: {name}: {verdict}", file=sys.stderr)
                rows.append([path, *("" for _ in TITLES), "", "", "", str(verdict), "; ".join(also)])
                continue
            points = [sum(row.points or 0 for row in verdict.rows if row.test.split()[0] == str(k)) for k in TITLES]
            failed = next((row for row in verdict.rows if not row.passed), None)
            remarks = [*verdict.doubts, *also]
            ends = [failed.test if failed else "", failed.feedback if failed else "", "; ".join(remarks)]
            rows.append([path, *(f"{p:g}" for p in points), f"{verdict.points:g}", f"{verdict.of:g}", *ends])
            print(f"{name}: {verdict.points:g} of {verdict.of:g}. {verdict.verdict()}", *map(tables.safe, remarks))
    tables.write(arguments.table, [header, *rows])
    print(f"wrote {arguments.table}")
    return 0


def _judged(path: Path, sandboxed: bool) -> Verdict | GradingError:
    """One student's engine, under a class's limits; or why it was not tried."""
    from minigrad_course.grading.classroom.heap import MOST_BYTES, too_large
    from minigrad_course.grading.classroom.sandbox import Limits
    from minigrad_course.project.judge import judge

    try:
        if path.is_symlink() or not path.is_file():
            return GradingError("a link, not followed" if path.is_symlink() else "there is no such file")
        if path.stat().st_size > MOST_BYTES:
            return GradingError(too_large(path.stat().st_size))
        return judge(path, sandboxed=sandboxed, limits=Limits())
    except GradingError as error:
        return error
    except OSError as error:
        return GradingError(f"it cannot be read: {error.strerror}")
    except Exception as error:  # its process answers what the engine likes; the others shall have their points
        return GradingError(f"what its process answered makes no sense ({type(error).__name__}): read the file")


def _twins(files: list[Path]) -> dict[Path, list[str]]:
    """For each file those with the same content."""
    of: dict[bytes, list[Path]] = {}
    for path in files:
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1_000_000:
            of.setdefault(path.read_bytes().strip(), []).append(path)
    return {path: [other.name for other in group if other is not path] for group in of.values() for path in group}
