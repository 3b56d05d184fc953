"""Judge an engine: run each milestone's tests in a child process, each with a deadline, and count points.

A test that takes too long, or ends the process, costs its own point only: the others run in a new one. A milestone is
tried if those before it have passed, since it builds on them; each choice after milestone 8.
"""

from __future__ import annotations

import contextlib
import html
import json
import math
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from minigrad import hooks
from minigrad.guards import capabilities
from minigrad.guards.installation import command
from minigrad_course.grading import error_words
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.outcome import Row, one_line, time_limit_message
from minigrad_course.grading.points_table import Report, as_html
from minigrad_course.isolation.helper import Helper, Lost, TooLate, TooMuch
from minigrad_course.isolation.limits import HOME, Limits
from minigrad_course.project import recomputed
from minigrad_course.project.child import LOAD, TRAIN
from minigrad_course.project.milestones import CHOICES, TESTS, TITLES, Test

HINTS = Path(__file__).with_name("hints.json")
LAST_IN_LINE = 8  # milestones 1 to 8 build on each other; the choices only on them
START = 60.0  # seconds for the child to load itself and the engine
LONGEST = 600.0  # seconds that any test may take
CACHES = {"HOME", "MINIGRAD_CACHE_DIR", "NUMBA_CACHE_DIR"}  # folders of compiled code, which need not be compiled again
MEMORY = 4_000_000_000  # bytes; the digits, and a graph of a training step, take a tenth
CANNOT_RUN = "mine.py cannot be run"
TESTING = "minigrad_course.project.child"
Wall = Callable[[Path, Sequence[Path]], Sequence[str]]
MOST = 700  # characters of feedback: a graph, line by line, takes some


@dataclass
class Verdict(Report):
    """The points table of an engine, and the smallest graph on which it fails, if there is one."""

    lines: list[str] = field(default_factory=list)  # of that graph
    graph: Any = None  # its inputs, steps and seed
    mark: tuple[int, str] = (0, "")  # the index of its wrong value, and the expected value
    symptoms: dict[str, str] = field(default_factory=dict)  # by test
    doubts: list[str] = field(default_factory=list)  # for whoever grades a class

    @property
    def passed(self) -> bool:
        """Tell whether nothing failed; a choice that has not been made is no failure."""
        return all(row.passed or _is_open(row) for row in self.rows)

    def verdict(self) -> str:
        if not self.passed:
            return f"Next: {next(row.test for row in self.rows if not row.passed)}."
        left = [row.test for row in self.rows if not row.passed]
        return (
            f"Milestones 1 to {LAST_IN_LINE} are done: the engine is yours. What is left are choices: {left[0]}, say."
            if left
            else "All tests passed. It is yours."
        )

    def _repr_html_(self) -> str:
        shown = as_html(self)
        if self.lines:
            code = html.escape("\n".join(self.lines))
            shown += "<p><b>The smallest graph on which it fails</b></p>"
            shown += f'<pre style="white-space:pre-wrap">{code}</pre>{self._picture()}'
        return shown

    def _picture(self) -> str:
        from minigrad_course.project.see import failing_graph

        return failing_graph(self.graph, *self.mark)


def _is_open(row: Row) -> bool:
    return _milestone(row.test) in CHOICES and row.feedback.startswith("not written yet")


def _milestone(title: str) -> int:
    return int(title.split()[0])


def judge(file: Path, only: Sequence[int] = (), wall: Wall | None = None, limits: Limits | None = None) -> Verdict:
    """Test an engine: all of its milestones, or only the named ones.

    For another person's engine, `wall`: the words of a sandbox in which the files of a folder lie in HOME, and other
    folders are empty; `limits`: on time, memory and processes. What it computes is then computed again on our side.
    Raises GradingError without a file.
    """
    if not file.is_file():
        raise GradingError(f"there is no {file}: {command('project', 'start', '1')} makes one")
    rows: dict[str, Row] = {}
    verdict = Verdict("project", [], full=True, hidden=False)
    known = json.loads(HINTS.read_text(encoding="utf-8")) if HINTS.exists() else {}
    wanted = [test for test in TESTS if not only or test.milestone in only]
    with contextlib.closing(_run(file, wanted, wall, limits)) as results:
        _note(results, rows, verdict, known, bool(only))
    for milestone, name in TITLES.items():  # those not reached, in a line each
        tests = [test for test in wanted if test.milestone == milestone]
        if tests and not any(test.title in rows for test in tests):
            title = f"{milestone} {name}"
            rows[title] = Row(title, None, float(len(tests)), "after the ones above")
    verdict.rows = list(rows.values())
    if limits is not None:
        _compute_again(file, verdict, wall, limits)
    return verdict


def _compute_again(file: Path, verdict: Verdict, wall: Wall | None, limits: Limits) -> None:
    """Take the points of milestones whose tests have passed, and which compute other numbers wrongly."""
    rng = np.random.default_rng()
    with contextlib.ExitStack() as stack:
        child = stack.enter_context(_child(file, wall, limits, stack, "minigrad_course.isolation.engine_answers"))
        for milestone in sorted({_milestone(row.test) for row in verdict.rows if row.points}):
            its = [k for k, row in enumerate(verdict.rows) if _milestone(row.test) == milestone]
            answers = [_right(child, *question) for question in recomputed.questions(milestone, rng)]
            if all(answers) or (any(answers) and not all(verdict.rows[k].passed for k in its)):
                continue
            wrong = f"milestone {milestone} passes its tests, and computes other numbers wrongly"
            verdict.doubts.append(f"needs a person: {wrong}")
            for k in its:
                if verdict.rows[k].points:
                    verdict.rows[k] = replace(verdict.rows[k], points=0.0, feedback=wrong)


def _right(child: Helper, request: recomputed.Request, expected: Any) -> bool:
    try:
        return recomputed.right(child.ask(request, START), expected)
    except (Lost, ValueError):  # it may end, or answer with what is no JSON
        return False


def train(file: Path) -> tuple[float, list[float], float] | None:
    """Train two layers by an engine: percent of the test digits read, losses, seconds; None if its process ended."""
    with contextlib.ExitStack() as stack, contextlib.suppress(Lost):
        child = stack.enter_context(_child(file, None, None, stack))
        child.ask(LOAD, START)
        since = time.perf_counter()
        percent, losses = child.ask(TRAIN, LONGEST)["remark"]
        return percent, losses, time.perf_counter() - since
    return None


def _note(
    results: Iterator[tuple[Test, dict[str, Any]]],
    rows: dict[str, Row],
    verdict: Verdict,
    known: Any,
    all_of_them: bool,
) -> None:
    """Add a row for each test, up to the first failed milestone that others build on."""
    for test, result in results:
        before = {_milestone(row.test) for row in rows.values() if not row.passed} - {test.milestone}
        if not all_of_them and min([*before, LAST_IN_LINE + 1]) <= LAST_IN_LINE:
            break  # later milestones build on the failed one
        rows[test.title] = _row(test, result, known)
        verdict.doubts += result.get("doubts", ())
        if result.get("symptom"):
            verdict.symptoms[test.title] = result["symptom"]
        if result.get("lines") and not verdict.lines:
            verdict.lines, verdict.graph, verdict.mark = result["lines"], result["graph"], tuple(result["mark"])


def _row(test: Test, result: dict[str, Any], known: dict[str, dict[str, str]]) -> Row:
    """Return the line of a test with this result."""
    if "unwritten" in result:
        return Row(
            test.title,
            0.0,
            1.0,
            one_line(f"not written yet: {result['unwritten'].removesuffix(' is not written yet')}"),
        )
    if "untried" in result:
        return Row(test.title, None, 1.0, result["untried"])
    if "failed" not in result:
        return Row(test.title, 1.0, 1.0, one_line(str(result.get("remark", ""))))
    meaning = _not_asked(result["symptom"]) or error_words.in_words(*_named(result["symptom"]))
    if result["failed"].startswith(CANNOT_RUN):
        return Row(test.title, 0.0, 1.0, one_line(result["failed"], MOST), meaning)  # nothing was tested
    hint = known.get(test.title, {}).get(result["symptom"]) or f"{meaning} {test.advice}".strip()
    return Row(test.title, 0.0, 1.0, one_line(result["failed"], MOST), hint)


METHODS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "@": "matmul", "** or pow()": "pow"}
OPERANDS = re.compile(r"TypeError: unsupported operand type\(s\) for (.+): '([\w.]+)' and '([\w.]+)'")
NUMBERS = ("Node", "Dual", "int", "float", "numpy.ndarray", "numpy.float64")


def _not_asked(symptom: str) -> str:
    """Name the method that Python looked for in vain, for an operator that a learner's class lacks."""
    match = OPERANDS.match(symptom)
    if not match or match[1] not in METHODS or not {match[2], match[3]} <= set(NUMBERS):
        return ""
    sign, method = match[1].split()[0], METHODS[match[1]]
    if match[2] in ("Node", "Dual"):
        return f"For a {sign} b Python asks a for __{method}__. Has your {match[2]} such a method?"
    return (
        f"In a {sign} b, where a is of type {match[2]}, Python asks b for __r{method}__. "
        f"Has your {match[3]} such a method?"
    )


def _named(symptom: str) -> tuple[str, str]:
    error, _, message = symptom.partition(": ")
    return (error, message) if error.isidentifier() else ("Mismatch", symptom)


def _run(
    file: Path, tests: Sequence[Test], wall: Wall | None, limits: Limits | None
) -> Generator[tuple[Test, dict[str, Any]], None, None]:
    """Yield each test with its result."""
    with contextlib.ExitStack() as stack:
        child = stack.enter_context(_child(file, wall, limits, stack))
        try:
            result = child.ask(LOAD, START)
        except Lost as lost:
            result = _failed("dead", f"the process ended: {lost}")
        for test in tests:
            if "failed" in result:
                yield test, {**result, "failed": f"{CANNOT_RUN}: {result['failed']}"}
                continue
            limit = min(test.seconds, LONGEST, limits.total - child.used if limits else math.inf)
            if limit <= 0:
                reason = "no time was left to try it"
                yield test, {"untried": reason, "doubts": [f"{reason}: {test.title}"]}
                continue
            try:
                yield test, child.ask(test.title, limit)
            except TooLate:
                yield test, _failed("timeout", time_limit_message(limit))
            except TooMuch as reason:
                yield test, _failed("limit", f"the process was ended: {reason}")
            except Lost:
                yield (
                    test,
                    _failed("dead", "the process ended while this test ran: does the engine call exit, or crash?"),
                )


def _child(
    file: Path, wall: Wall | None, limits: Limits | None, stack: contextlib.ExitStack, module: str = TESTING
) -> Helper:
    """Start the process that has the engine; in a sandbox, it sees the engine and what tests it, or asks it, only."""
    if not capabilities.has("processes"):
        try:
            from minigrad_tab import apart  # a tab has a second Python instead
        except ImportError:
            capabilities.demand(
                "processes", "project.grade(), which tries an engine in a process that it may take down,"
            )
        return apart.Helper(module, {"file": str(file.resolve())}, [file])
    if wall is None:
        return Helper(module, {"file": str(file.resolve())}, MEMORY, START, keeps=CACHES, limits=limits)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="minigrad-")))
    shutil.copyfile(file, folder / "mine.py")
    masked = [] if module == TESTING else [Path(hooks.__file__).parent]  # without minigrad, which knows the answers
    return Helper(module, {"file": f"{HOME}/mine.py"}, MEMORY, START, wall(folder, masked), limits=limits)


def _failed(symptom: str, message: str) -> dict[str, Any]:
    return {"failed": message, "symptom": symptom}
