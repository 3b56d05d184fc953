"""Points while the notebook is open: a line under each test cell as it runs, and a table that keeps itself up to
date.

IPython tells us before and after each cell. A test is known by its cell's id (JupyterLab passes it on), elsewhere
by its text. Points and hints come from tests.json, which lies in the notebook's folder, where its kernel runs.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from minigrad.grading import report as show
from minigrad.grading.cells import GradingError
from minigrad.grading.outcome import Outcome, Row, time_limit_message
from minigrad.grading.sheet import FILE, Sheet

_current: Live | None = None


def live(limit: float = 30.0) -> None:
    """Keep points from now on, and stop a test cell that takes longer than `limit` seconds.

    Belongs into the first cell of an exercise. Outside a notebook it does nothing.
    """
    global _current
    shell = _shell()
    if shell is None:
        return
    try:
        sheet = Sheet.load(Path(FILE))
    except GradingError:
        print(f"No live points: {FILE} is not beside this notebook. Open the notebook in its own folder.")
        return
    rows = _current.rows if _current else {}
    stop()
    _current = Live(sheet, limit, {name: row for name, row in rows.items() if name in sheet.tests})
    shell.events.register("pre_run_cell", _current.before)
    shell.events.register("post_run_cell", _current.after)
    print(f"{_current.report().of:g} points to earn here. Each test cell says how it went; the table is at the end.")


def stop() -> None:
    """Keep no more points."""
    global _current
    shell = _shell()
    if _current is not None and shell is not None:
        shell.events.unregister("pre_run_cell", _current.before)
        shell.events.unregister("post_run_cell", _current.after)
    _current = None


def table() -> None:
    """Show the points table; it changes by itself whenever a test cell runs."""
    if _current is not None:
        _current.show_table()
    elif _shell() is not None:
        print("No points are kept yet: run the first cell, with grading.live().")


class Live:
    """Watches cells run, and remembers the latest row of each test."""

    def __init__(self, sheet: Sheet, limit: float, rows: dict[str, Row]) -> None:
        self.sheet, self.limit, self.rows = sheet, limit, rows
        self._alarm: threading.Timer | None = None
        self._rang = False
        self._table_id: str | None = None

    def report(self) -> show.Report:
        """The table as it stands."""
        not_run = Outcome("not run")
        rows = [self.rows.get(name) or self.sheet.row(name, not_run) for name in self.sheet.tests]
        return show.Report(self.sheet.exercise, rows, full=False, hidden=self.sheet.hidden)

    def before(self, info: Any) -> None:
        """IPython is about to run a cell."""
        self._rang = False
        if self.sheet.find(getattr(info, "cell_id", None), info.raw_cell) is not None:
            if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # inherited from a shell's background job
                signal.signal(signal.SIGINT, signal.default_int_handler)
            self._alarm = threading.Timer(self.limit, self._ring)
            self._alarm.daemon = True
            self._alarm.start()

    def _ring(self) -> None:
        self._rang = True
        _thread.interrupt_main()  # a loop in Python ends here; one in compiled code needs the kernel's restart button

    def after(self, result: Any) -> None:
        """IPython has run a cell."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        name = self.sheet.find(getattr(result.info, "cell_id", None), result.info.raw_cell)
        if name is None:
            return
        self.rows[name] = row = self.sheet.row(name, self._outcome(name, result), self.rows.values())
        self._show(_Line(row, self.report()))
        if self._table_id is not None:
            self._show(self.report(), display_id=self._table_id, update=True)

    def _outcome(self, name: str, result: Any) -> Outcome:
        error = result.error_before_exec or result.error_in_exec
        if self._rang:
            return Outcome("timeout", message=time_limit_message(self.limit))
        if error is not None:
            return Outcome("error", type(error).__name__, str(error))
        if not self.sheet.is_original(name, result.info.raw_cell):
            return Outcome("refused", message="this test was changed, and counts only as it was given")
        return Outcome("ok", value=None if result.result is None else repr(result.result))

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

    def __init__(self, row: Row, report: show.Report) -> None:
        self.row, self.report = row, report

    def __repr__(self) -> str:
        row, sum_ = self.row, f"{self.report.points:g} of {self.report.of:g} in all"
        hint = f"\n  Hint: {row.hint}" if row.hint else ""
        return f"{show.mark(row)} {row.test}: {show.given(row)} of {row.of:g} points ({sum_}){hint}"

    def _repr_html_(self) -> str:
        return show.line_html(self.row, self.report)


def _shell() -> Any:
    """The IPython that runs our cells; None outside a notebook, and where `minigrad grade` runs it."""
    if "IPython" not in sys.modules or os.environ.get("MINIGRAD_LIVE") == "off":
        return None
    from IPython import get_ipython

    return get_ipython()
