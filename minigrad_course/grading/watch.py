"""Points while the notebook is open: a line under each test cell as it runs, and a table that keeps itself up to
date.

IPython tells us before and after each cell. A test is known by its cell's id (JupyterLab passes it on), elsewhere
by its text. Points and hints come from tests.json, which lies in the notebook's folder, where its kernel runs.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from minigrad_course import mistakes
from minigrad_course.grading import report as show
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.checks import Credit
from minigrad_course.grading.clean import Guard, Room, shown, told
from minigrad_course.grading.deadline import Deadline
from minigrad_course.grading.outcome import Outcome, Row, overwritten_message, time_limit_message
from minigrad_course.grading.progress import Progress
from minigrad_course.grading.sheet import FILE, Sheet

_current: Live | None = None


def live(limit: float = 30.0) -> None:
    """Keep points from now on, and stop a test or an answer that takes longer than `limit` seconds.

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
    print(f"{_current.report().of:g} points to earn here. Each test cell says how it went; the table is at the end.")


def stop() -> None:
    """Keep no more points."""
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


class Watch:
    """Follows a notebook's cells: locked cells are remembered, and tests run among clean names (see clean.py)."""

    def __init__(self, shell: Any, guard: Guard) -> None:
        self.shell, self.guard = shell, guard
        self.source = ""  # of the cell that runs, as Python: without IPython's magics
        self.overwritten: tuple[str, ...] = ()
        self._info: Any = None
        self._room: Room | None = None
        self._learners: tuple[Any, dict[str, Any]] = (None, {})

    def register(self) -> None:
        self.shell.events.register("pre_run_cell", self.before)
        self.shell.events.register("post_run_cell", self.after)

    def unregister(self) -> None:
        for event, callback in (("pre_run_cell", self.before), ("post_run_cell", self.after)):
            if callback in self.shell.events.callbacks[event]:
                self.shell.events.unregister(event, callback)

    def before(self, info: Any) -> None:
        """IPython is about to run a cell."""
        if self._info is not None and _inside_a_cell():
            return
        if self._info is not None:
            self.after(None)  # IPython failed over the last cell's error, and did not tell us of its end
        self._info, self.source = info, self._as_python(info.raw_cell)
        self.starts(getattr(info, "cell_id", None), info.raw_cell)

    def after(self, result: Any) -> None:
        """IPython has run a cell."""
        info = self._info if result is None else result.info
        if info is None or (self._info is not None and info is not self._info):
            return
        if self._info is None:  # the cell in which we began to watch
            self.source = self._as_python(info.raw_cell)
        self._info = None
        changed = self.leave_room()
        self.ended(getattr(info, "cell_id", None), info.raw_cell, result, changed)

    def _as_python(self, source: str) -> str:
        try:
            return self.shell.transform_cell(source)
        except SyntaxError:
            return ""

    def starts(self, cell_id: str | None, source: str) -> None:
        """A cell starts."""

    def ended(self, cell_id: str | None, source: str, result: Any, changed: list[str]) -> None:
        """A cell has ended; `changed` names what a test's answers tampered with."""

    def enter_room(self) -> None:
        """What runs next runs among clean names."""
        self._learners = self.shell.user_module, self.shell.user_ns
        self.overwritten = tuple(self.guard.overwritten(self.shell.user_ns))
        self._room = self.guard.room(self.shell.user_ns)
        self.shell.user_module, self.shell.user_ns = _Space(self._room.names), self._room.names

    def leave_room(self) -> list[str]:
        """Back among the learner's names. What changed meanwhile that should not."""
        if self._room is None:
            return []
        self.shell.user_module, self.shell.user_ns = self._learners
        room, self._room = self._room, None
        return room.leave(self.source, self.shell.user_ns)

    def outcome(self, result: Any, changed: list[str]) -> Outcome:
        """How a cell ended, as far as the kernel itself can tell."""
        if result is None:
            return Outcome("error", "Interrupted", "its error could not be shown")
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            return Outcome("error", type(error).__name__, told(error), overwritten=self.overwritten)
        if changed:
            return Outcome("refused", message=f"{changed[0]} was changed while this test ran, so it counts for nothing")
        return passed(result.result, self.overwritten)


def _inside_a_cell() -> bool:
    """Whether IPython runs this cell for another one, which has not ended yet."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        depth += frame.f_code.co_name == "run_cell_async"
        frame = frame.f_back
    return depth > 1


def passed(value: Any, overwritten: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a cell that ran to its end, and whose last line has this value."""
    if value is None:
        return Outcome("ok", overwritten=overwritten)
    feedback = value.feedback if type(value) is Credit else ""
    return Outcome("ok", message=feedback, value=shown(value), overwritten=overwritten)


class _Space:
    """What IPython asks of a module: names, in its `__dict__`."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.__dict__ = names


class Live(Watch):
    """Remembers the latest row of each test, and shows it."""

    def __init__(self, shell: Any, sheet: Sheet, limit: float, before: Live | None = None) -> None:
        super().__init__(shell, before.guard if before else Guard(sheet.redefined))
        self.sheet, self.limit = sheet, limit
        self.rows: dict[str, Row] = {n: r for n, r in (before.rows if before else {}).items() if n in sheet.tests}
        self.progress = Progress.of_folder(Path.cwd(), sheet.exercise)
        self._deadline: Deadline | None = None
        self._table_id: str | None = None

    def report(self) -> show.Report:
        """The table as it stands."""
        not_run = Outcome("not run")
        rows = [self.rows.get(name) or self.sheet.row(name, not_run) for name in self.sheet.tests]
        return show.Report(self.sheet.exercise, rows, full=False, hidden=self.sheet.hidden)

    def starts(self, cell_id: str | None, source: str) -> None:
        test = self.sheet.find(cell_id, source)
        cell = test or (cell_id if cell_id in self.sheet.empty else None)
        if test is not None:
            self.enter_room()
        elif self.sheet.find_given(cell_id, source) is not None:
            self.guard.before_given(self.shell.user_ns)
        if cell is not None:
            self._deadline = Deadline(self.limit, self.progress.running(self.sheet.exercise, cell, self.limit))

    def ended(self, cell_id: str | None, source: str, result: Any, changed: list[str]) -> None:
        too_long = self._deadline is not None and self._deadline.passed
        self.stop_deadline()
        given = self.sheet.find_given(cell_id, source)
        if given is not None:
            self._given_ended(given, source, result)
        name = self.sheet.find(cell_id, source)
        if name is None:
            if too_long:
                print(f"Stopped: {time_limit_message(self.limit)}")
            return
        outcome = self.outcome(result, changed)
        if too_long:
            outcome = Outcome("timeout", message=time_limit_message(self.limit))
        elif outcome.status == "ok" and not self.sheet.is_original(name, source):
            outcome = Outcome("refused", message="this test was changed, and counts only as it was given")
        outcome = self.sheet.relying_on(name, self.guard.given, outcome)
        self.rows[name] = row = self.sheet.row(name, outcome, self.rows.values())
        self.progress.note(self.sheet.exercise, [row], full=False)
        self._show(_Line(row, self.report(), outcome.overwritten))
        if self._table_id is not None:
            self._show(self.report(), display_id=self._table_id, update=True)

    def stop_deadline(self) -> None:
        """Time no longer counts for the cell that runs, if there is one."""
        if self._deadline is not None:
            self._deadline.stop()
            self._deadline = None
            self.progress.not_running()

    def _given_ended(self, name: str, source: str, result: Any) -> None:
        if result is not None and result.success and self.sheet.is_original(name, source):
            self.guard.after_given(name, self.source, self.shell.user_ns)
        elif not self.sheet.is_original(name, source):
            self.guard.given.pop(name, None)
            print("This cell was changed. Tests count only when it has run as it was given: undo the change (Ctrl+Z).")

    def tell_of_dead_kernels(self) -> None:
        """Say which cell the kernel before this one died of, and count it."""
        for cell, why in self.progress.left_by_dead_kernels(self.sheet.exercise):
            print(f"The kernel was ended while `{cell}` ran: {why}\nFix that, and run the cells from the top again.")
            if cell in self.sheet.tests and cell not in self.rows:
                self.rows[cell] = row = self.sheet.row(cell, Outcome("timeout", message=why))
                self.progress.note(self.sheet.exercise, [row], full=False)

    def show_table(self) -> None:
        """Show the table, and keep this showing up to date."""
        self._table_id = f"minigrad-points-{id(self)}"
        self._show(self.report(), display_id=self._table_id)

    @staticmethod
    def _show(what: Any, **options: Any) -> None:
        from IPython.display import display

        display(what, **options)


class _Line:
    """One line under a test cell: how it went, the hint, and the sum so far."""

    def __init__(self, row: Row, report: show.Report, overwritten: tuple[str, ...]) -> None:
        self.row, self.report = row, report
        self.note = overwritten_message(overwritten)

    def __repr__(self) -> str:
        row, sum_ = self.row, f"{self.report.points:g} of {self.report.of:g} in all"
        hint = f"\n  Hint: {row.hint}" if row.hint else ""
        note = f"\n  Note: {self.note}." if self.note else ""
        return f"{show.mark(row)} {row.test}: {show.given(row)} of {row.of:g} points ({sum_}){hint}{note}"

    def _repr_html_(self) -> str:
        return show.line_html(self.row, self.report, self.note)


def _shell() -> Any:
    """The IPython that runs our cells; None outside a notebook, and where `minigrad grade` runs it."""
    if "IPython" not in sys.modules or os.environ.get("MINIGRAD_LIVE") == "off":
        return None
    from IPython import get_ipython

    return get_ipython()
