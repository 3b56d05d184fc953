"""Runs cells one after the other, as a notebook would, but without a kernel: beside the submission and beside the
solution alike. Tests run among clean names, exactly as in a learner's notebook (see grading/clean.py)."""

from __future__ import annotations

import signal
from collections.abc import Callable, Collection
from typing import Any

from minigrad_course.grading.clean import Guard
from minigrad_course.grading.outcome import Outcome
from minigrad_course.grading.watch import Watch


class TimeLimit(BaseException):
    """Raised in a cell that takes too long. Not an Exception: a cell that catches those shall not catch this."""


class Runner(Watch):
    """A notebook without a kernel. `ask` is what test cells find under the name `_ask_`."""

    def __init__(self, redefined: Collection[str], ask: Callable[..., None], helpers: dict[str, Any]) -> None:
        super().__init__(quiet_shell(), Guard(redefined))
        self._helpers = {"_ask_": ask, **helpers}
        self._cell = ("", "")
        self._outcome = Outcome("not run")
        self.register()

    def run(self, kind: str, name: str, source: str, limit: float) -> Outcome:
        """Run one cell for at most `limit` seconds. Compiled code that never looks up is for others to stop."""
        self._cell, self._outcome = (kind, name), Outcome("not run")
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            self.shell.run_cell(source, store_history=False)
        except TimeLimit:
            return Outcome("timeout")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return self._outcome

    def starts(self, cell_id: str | None, source: str) -> None:
        kind, _ = self._cell
        if kind == "test":
            self.enter_room()
            self.shell.user_ns.update(self._helpers)
        elif kind == "given":
            self.guard.before_given(self.shell.user_ns)

    def ended(self, cell_id: str | None, source: str, result: Any, changed: list[str]) -> None:
        kind, name = self._cell
        # What `changed` is of no concern here: whether an answer is right is not decided in this process.
        self._outcome = self.outcome(result, [])
        if self._outcome.error == "TimeLimit":
            self._outcome = Outcome("timeout")
        if kind == "given" and self._outcome.status == "ok":
            self.guard.after_given(name, self.source, self.shell.user_ns)


def quiet_shell() -> Any:
    """An IPython that shows nothing: no results, no tracebacks, no history on disk."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.history_load_length = 0
    shell = InteractiveShell.instance(config=config)
    shell.displayhook.quiet = lambda: True
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None
    return shell


def _ring(number: int, frame: Any) -> None:
    raise TimeLimit
