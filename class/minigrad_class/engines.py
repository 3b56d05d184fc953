"""`minigrad project class`: grades the engines of a class, in the sandbox, into a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from minigrad_class import csv_tables, sandbox
from minigrad_class.downloads import MOST_BYTES, too_large
from minigrad_class.reach import strange
from minigrad_course.grading.cells import GradingError
from minigrad_course.isolation.limits import Limits
from minigrad_course.project.milestones import TITLES
from minigrad_course.project.verdict import Verdict, judge


def run(arguments: argparse.Namespace) -> int:
    """Grade each file, and write points by milestone."""

    sandbox.require(not arguments.no_sandbox)
    header = ["file", *(f"milestone {k}" for k in TITLES), "total", "of", "first that failed", "feedback", "remarks"]
    files: list[Path] = arguments.files
    twins = _twins(files)
    rows: list[list[Any]] = []
    with ThreadPoolExecutor(max(1, arguments.workers)) as pool:
        verdicts = pool.map(lambda path: _judged(path, not arguments.no_sandbox), files)
        for path, verdict in zip(files, verdicts, strict=True):
            if rows:
                csv_tables.write(arguments.table, [header, *rows])  # in case that the command is interrupted
            also = [f"the same file, letter by letter, as {', '.join(twins[path][:5])}"] if twins.get(path) else []
            name = csv_tables.safe(str(path))
            if isinstance(verdict, GradingError):
                print(f"minigrad: {name}: {verdict}", file=sys.stderr)
                rows.append([path, *("" for _ in TITLES), "", "", "", str(verdict), "; ".join(also)])
                continue
            points = [sum(row.points or 0 for row in verdict.rows if row.test.split()[0] == str(k)) for k in TITLES]
            failed = next((row for row in verdict.rows if not row.passed), None)
            remarks = [*_hides(path), *verdict.doubts, *also]
            ends = [failed.test if failed else "", failed.feedback if failed else "", "; ".join(remarks)]
            rows.append([path, *(f"{p:g}" for p in points), f"{verdict.points:g}", f"{verdict.of:g}", *ends])
            print(f"{name}: {verdict.points:g} of {verdict.of:g}. {verdict.verdict()}", *map(csv_tables.safe, remarks))
    csv_tables.write(arguments.table, [header, *rows])
    print(f"wrote {arguments.table}")
    return 0


def _judged(path: Path, sandboxed: bool) -> Verdict | GradingError:
    """One student's engine, under a class's limits; or why it was not tried."""

    try:
        if path.is_symlink() or not path.is_file():
            return GradingError("a link, not followed" if path.is_symlink() else "there is no such file")
        if path.stat().st_size > MOST_BYTES:
            return GradingError(too_large(path.stat().st_size))
        return judge(path, wall=_wall if sandboxed else None, limits=Limits())
    except GradingError as error:
        return error
    except OSError as error:
        return GradingError(f"it cannot be read: {error.strerror}")
    except Exception as error:  # its process answers what the engine likes; the others shall have their points
        return GradingError(f"what its process answered makes no sense ({type(error).__name__}): read the file")


def _hides(path: Path) -> list[str]:
    """Name what no engine needs: it may have come by its numbers in another way than by computing them."""
    odd = strange([path.read_text(encoding="utf-8", errors="replace")[:1_000_000]])
    return [f"needs a person: uses {', '.join(odd[:10])}, which no engine needs, so read what it does"] if odd else []


def _wall(folder: Path, masked: Sequence[Path]) -> list[str]:
    return sandbox.wall(folder, Limits().disk, masked)


def _twins(files: list[Path]) -> dict[Path, list[str]]:
    """For each file those with the same content."""
    of: dict[bytes, list[Path]] = {}
    for path in files:
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 1_000_000:
            of.setdefault(path.read_bytes().strip(), []).append(path)
    return {path: [other.name for other in group if other is not path] for group in of.values() for path in group}
