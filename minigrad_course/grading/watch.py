"""Points while the notebook is open: a line under each test cell as it runs, and a table that keeps itself up to
date.

IPython tells us before and after each cell. A test is known by its cell's id (JupyterLab passes it on), elsewhere
by its text. Points and hints come from tests.json, which lies in the notebook's folder, where its kernel runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad.guards import capabilities
from minigrad_course import mistakes
from minigrad_course.grading import points_table as show
from minigrad_course.grading import reveal
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.clean import Guard
from minigrad_course.grading.deadline import Deadline
from minigrad_course.grading.exercises import Exercise
from minigrad_course.grading.outcome import Outcome, Row, in_points, overwritten_message, time_limit_message
from minigrad_course.grading.progress import Progress
from minigrad_course.grading.runner import Runner
from minigrad_course.grading.sheet import FILE, Sheet

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

_current: Live | None = None


def live(limit: float = 30.0) -> None:
    """Record points from now on, and stop a test or an answer that takes longer than `limit` seconds.

    Belongs into the first cell of an exercise. Outside a notebook it does nothing.
    """
    global _current
    shell = _shell()
    if shell is None:
        return
    mistakes.tell_in_words(shell)
    try:
        sheet = Sheet.load(Path(FILE))
    except GradingError as error:
        print(
            f"No live points: {error}."
            if Path(FILE).exists()
            else f"No live points: {FILE} is not beside this notebook. Open the notebook in its own folder."
        )
        return
    before = _current if _current is not None and _current.sheet.exercise == sheet.exercise else None
    stop()
    _current = Live(shell, sheet, limit, before)
    _current.register()
    _current.tell_of_dead_kernels()
    print(f"{in_points(_current.report.of)} to earn here. Each test cell says how it went; the table is at the end.")
    if not capabilities.has("threads"):
        print(f"No cell is stopped after {limit:g} s ({capabilities.without('threads')}): restart one that never ends.")


def stop() -> None:
    """Stop recording points."""
    global _current
    if _current is not None:
        _current.unregister()
        _current.stop_deadline()
    _current = None


def table() -> None:
    """Show the points table; it changes by itself whenever a test cell runs."""
    if _current is not None:
        _current.show_table()
    elif _shell() is not None:
        print("No points are kept yet: run the first cell, with grading.live().")


def solution(answer: str) -> object:
    """Show the next line of the solution of an answer, once its tests were tried three times."""
    if _current is None:
        if _shell() is not None:
            print("No tries are counted yet: run the first cell, with grading.live().")
        return None
    try:
        return reveal.next_line(_current.exercise, answer, f'grading.solution("{answer}")')
    except GradingError as error:
        print(f"No solution to show: {error}.")
        return None


class Live(Runner):
    """Follows the notebook's cells, remembers the latest row of each test, and shows it."""

    def __init__(self, shell: object, sheet: Sheet, limit: float, before: Live | None = None) -> None:
        super().__init__(shell, before.guard if before else Guard(sheet.redefined))
        self._running = 0  # cells, each within the one before: a cell may run others
        self.sheet, self.limit = sheet, limit
        seen, not_run = before.rows if before else {}, Outcome("not run")
        self.rows: dict[str, Row] = {name: seen.get(name) or sheet.row(name, not_run) for name in sheet.tests}
        self.answers: dict[str, str] = before.answers if before else {}  # as they ran last
        self.progress = Progress.of_folder(Path.cwd(), sheet.exercise)
        self.exercise = Exercise(sheet.exercise, Path(), self.progress.course)
        at_hand = self.exercise.has_hidden
        self.report = show.Report(sheet.exercise, list(self.rows.values()), hidden=sheet.hidden, at_hand=at_hand)
        self._cell: tuple[str, str | None] = "", None  # that runs: its source, and its name if it is a locked one
        self._deadline: Deadline | None = None
        self._table_id: str | None = None

    def register(self) -> None:
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def unregister(self) -> None:
        for event, callback in (("pre_run_cell", self.before), ("post_run_cell", self.after)):
            if callback in self.shell.events.callbacks[event]:
                self.shell.events.unregister(event, callback)

    def before(self, info: ExecutionInfo) -> None:
        """Called by IPython before it runs a cell."""
        self._running += 1
        if self._running > 1:
            return
        cell_id, source = getattr(info, "cell_id", None), info.raw_cell
        self._cell = source, name = source, self.sheet.find(cell_id, source)
        self.begins("test" if name in self.rows else "given" if name else "plain")
        if cell_id in self.sheet.empty:
            self.answers[cell_id] = source
        cell = name if name in self.rows else cell_id if cell_id in self.sheet.empty else None
        if cell is not None:
            self._deadline = Deadline(self.limit, self.progress.running(self.sheet.exercise, cell, self.limit))

    def after(self, result: Any) -> None:
        """Called by IPython after it ran a cell. (`result` is None if it failed over the cell's error.)"""
        if not self._running:  # the cell in which we began to watch
            source = result.info.raw_cell
            self._cell = source, self.sheet.find(getattr(result.info, "cell_id", None), source)
        self._running = max(self._running - 1, 0)
        if self._running:
            return
        source, name = self._cell
        too_long = self._deadline is not None and self._deadline.passed
        self.go_on(source, result)
        self.ends(source)
        self.stop_deadline()
        if name in self.sheet.given:
            self._given_ended(name, source, result)
        too_long_message = time_limit_message(self.limit, getattr(result, "error_in_exec", None)) if too_long else ""
        if too_long:
            print(f"Stopped: {too_long_message}")
        if name not in self.rows:
            return
        from IPython.display import display

        outcome = self.outcome(result)
        if too_long:
            outcome = Outcome("timeout", message=too_long_message)
        elif outcome.status == "ok" and not self.sheet.is_original(name, source):
            outcome = Outcome("refused", message="this test was changed, and counts only as it was given")
        outcome = self.sheet.relying_on(name, self.guard.defined, outcome)
        self.rows[name] = row = self.sheet.row(name, outcome, self.rows.values(), self.answers)
        self.report.rows = list(self.rows.values())
        self.progress.note(self.sheet.exercise, [row], full=False)
        notes = [overwritten_message(outcome.overwritten)] if outcome.overwritten else []
        if not row.passed and (answer := reveal.offer(self.exercise, name)):
            notes.append(f'grading.solution("{answer}") shows the next line of the solution')
        about = row, self.report, "; ".join(notes)
        display({"text/plain": show.line_text(*about), "text/html": show.line_html(*about)}, raw=True)
        if self._table_id is not None:
            display(self.report, display_id=self._table_id, update=True)

    def stop_deadline(self) -> None:
        """Stop the clock of the running cell, if there is one."""
        if self._deadline is not None:
            self._deadline.stop()
            self._deadline = None
            self.progress.not_running()

    def _given_ended(self, name: str, source: str, result: ExecutionResult | None) -> None:
        if result is not None and result.success and self.sheet.is_original(name, source):
            self.keep(name, source)
        elif not self.sheet.is_original(name, source):
            self.guard.defined.pop(name, None)
            print("This cell was changed. Tests count only when it has run as it was given: undo the change (Ctrl+Z).")

    def tell_of_dead_kernels(self) -> None:
        """Name the cell that the previous kernel died of, and count it."""
        for cell, why in self.progress.left_by_dead_kernels(self.sheet.exercise):
            print(f"The kernel was ended while `{cell}` ran: {why}\nFix that, and run the cells from the top again.")
            if cell in self.rows and self.rows[cell].points is None:
                self.rows[cell] = row = self.sheet.row(cell, Outcome("timeout", message=why))
                self.report.rows = list(self.rows.values())
                self.progress.note(self.sheet.exercise, [row], full=False)

    def show_table(self) -> None:
        """Show the table here, and keep it up to date."""
        self._table_id = f"minigrad-points-{id(self)}"
        from IPython.display import display

        display(self.report, display_id=self._table_id)


def _shell() -> InteractiveShell | None:
    """Return the IPython that runs our cells; None outside a notebook, and under `minigrad grade`."""
    if "IPython" not in sys.modules or os.environ.get("MINIGRAD_LIVE") == "off":
        return None
    from IPython import get_ipython

    return get_ipython()
