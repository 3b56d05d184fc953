"""Runs the cells of an exercise one after the other, its tests among clean names (see clean.py).

The same for everybody: for a learner's notebook in a process of its own (process.py), for an author's wrong answers
(rehearse.py), and for a class (minigrad_class). What runs a cell is an IPython that shows nothing, or `Plain`, which
starts in no time. In an open notebook its own IPython does, and watch.py tells a Runner when a cell begins and ends.
"""

from __future__ import annotations

import ast
import contextlib
import contextvars
import io
import itertools
import linecache
import re
import signal
import threading
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from minigrad_course.grading.cells import hidden_lines
from minigrad_course.grading.checks import Credit, Mismatch
from minigrad_course.grading.clean import Guard, Solution, names_bound, shown, told
from minigrad_course.grading.outcome import HIDDEN_LINE, Outcome, marked, time_limit_message
from minigrad_course.grading.places import place_of
from minigrad_course.mistakes import collapse

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

MOST_ALSO = 20  # lines of later checks
STRIKES = 1.0  # seconds from one strike of a time limit to the next
PATIENCE = 3.0  # seconds of the processor's time for all of them
# What IPython formats after an error, to show or to store it: a second for the thousand frames of a RecursionError.
TRACEBACKS = ("showtraceback", "showsyntaxerror", "_format_exception_for_storage")
# What a notebook has around it, as the packages whose errors in a cell are none of the answer's.
SURROUNDINGS = ("IPython", "comm", "ipykernel", "ipywidgets", "matplotlib", "traitlets")
KERNELS_OWN = (  # line magics that only a notebook's kernel has
    "autosave", "clear", "connect_info", "edit", "less", "man", "more", "qtconsole", "store", "subshell",
)  # fmt: skip


class TimeLimit(BaseException):
    """Raised in a cell that takes too long. Not an Exception: a cell that catches those shall not catch this."""


@contextlib.contextmanager
def time_limit(seconds: float, of_processor: float = 0.0) -> Iterator[None]:
    """Raise TimeLimit in a block that takes so many seconds of the clock, or of the processor.

    It raises one every second until the block ends: code that swallows the first does not swallow all. Works for Python
    code in the main thread of a process. Compiled code never checks for signals.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    clocks = [(signal.SIGALRM, signal.ITIMER_REAL, seconds)]
    if of_processor:
        clocks.append((signal.SIGPROF, signal.ITIMER_PROF, of_processor))
    running = True

    def ring(number: int, frame: FrameType | None) -> None:
        if running:
            raise TimeLimit

    before = [(number, signal.signal(number, ring)) for number, _, _ in clocks]
    for _, timer, limit in clocks:
        signal.setitimer(timer, limit, STRIKES)
    try:
        yield
    finally:
        running = False
        for _, timer, _ in clocks:
            signal.setitimer(timer, 0)
        for number, handler in before:
            signal.signal(number, handler)


class Runner:
    """Runs cells in a shell. Locked cells are remembered, and tests find what these defined, as they defined it.

    helpers: what tests find besides. author: (kind, name, source) of the cells of the author's notebook, whose answers
    a test then finds as `solution.f`.
    """

    def __init__(
        self,
        shell: InteractiveShell,
        guard: Guard,
        helpers: Mapping[str, Any] | None = None,
        author: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        self.shell, self.guard, self.helpers = shell, guard, dict(helpers or {})
        self.author = list(author)
        self.overwritten: tuple[str, ...] = ()  # names from locked cells to which the answers gave another meaning
        self.also: list[str] = []  # what the checks after the first that failed have to say
        self._tests: dict[str, Any] | None = None  # the names of the test that runs
        self._learners: tuple[Any, dict[str, Any]] = (None, {})
        self._locked: set[str] = set()  # the sources of the locked cells that have run

    def run(self, kind: str, name: str, source: str, limit: float, of_processor: float = 0.0) -> Outcome:
        """Run one cell for at most `limit` seconds, or so many of the processor.

        It has a context of its own: a limit that strikes while `np.errstate` or a trace begins or ends leaves it open,
        and the next cell must not notice.
        """
        return contextvars.copy_context().run(self._run, kind, name, source, limit, of_processor)

    def _run(self, kind: str, name: str, source: str, limit: float, of_processor: float) -> Outcome:
        self.begins(kind)
        if kind == "test" and self._tests is not None and self.author:
            before = itertools.takewhile(lambda cell: cell[1] != name, self.author)
            sources = [source for what, _, source in before if what == "solution"]
            self._tests["solution"] = Solution(self.guard, sources, self._learners[1])
        struck: BaseException | None = None
        try:
            with time_limit(limit, of_processor):
                try:
                    result = self.shell.run_cell(source, store_history=True, cell_id=name)
                    while kind in ("plain", "solution") and (rest := self._rest(source, result)):
                        source, result = rest, self.shell.run_cell(rest, store_history=True, cell_id=name)
                    self.go_on(source, result)
                finally:
                    self.ends(source)
                outcome, struck = self.outcome(result), getattr(result, "error_in_exec", None)
        except TimeLimit as error:
            outcome, struck = Outcome("timeout"), error
        if kind == "given" and outcome.status == "ok":
            self.keep(name, source)
        if outcome.status == "timeout":
            return Outcome("timeout", message=time_limit_message(of_processor or limit, struck))
        return outcome

    def begins(self, kind: str) -> None:
        """Call before a cell of this kind runs."""
        self.overwritten, self.also = (), []
        if kind == "given":
            self.guard.before_given(self.shell.user_ns)
        elif kind == "test":
            self._learners = self.shell.user_module, self.shell.user_ns
            self.overwritten = tuple(self.guard.overwritten(self.shell.user_ns))
            self._tests = self.guard.test_namespace(self.shell.user_ns)
            self._tests.update(self.helpers)
            self.shell.user_module, self.shell.user_ns = _Module(), self._tests
            self.shell.user_module.__dict__ = self._tests

    def go_on(self, source: str, result: object) -> None:
        """After a check that failed, run the statements of the test that follow, and keep the lines of their checks.

        Two mistakes often share the first wrong number, and seldom all of them; hints are found by all (see sheet.py).
        Stop at the first error that is not a Mismatch, or at the time limit, and use the lines collected so far.
        """
        error = getattr(result, "error_in_exec", None)
        if self._tests is None or not isinstance(error, Mismatch):
            return
        names = self._tests
        lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_globals is names]
        later = [s for s in ast.parse(self._as_python(source)).body if lines and s.lineno > lines[0]]
        if not later:
            return
        hidden = hidden_lines(source)
        quiet = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
        stopped = contextlib.suppress(TimeLimit, KeyboardInterrupt)
        with stopped, quiet[0], quiet[1], warnings.catch_warnings(), time_limit(10 * PATIENCE, PATIENCE):
            warnings.simplefilter("ignore")  # what is divided by zero here is nobody's news
            for statement in later:
                try:
                    exec(compile(ast.Module([statement], []), "<test>", "exec", dont_inherit=True), names)
                except Mismatch as mismatch:
                    line = marked(told(mismatch), mismatch.mark if type(mismatch) is Mismatch else "")
                    self.also.append(HIDDEN_LINE * (statement.lineno in hidden) + line)
                except Exception as another:
                    self.also.append(HIDDEN_LINE * (statement.lineno in hidden) + type(another).__name__)
                    break
                if len(self.also) == MOST_ALSO:
                    break

    def _rest(self, source: str, result: object) -> str:
        """Return the statements below the one that asked for what is not here, if that ended a cell; else nothing.

        A magic, a window for figures, a package: whoever wrote the cell had them. What is left keeps its line numbers.
        """
        error = getattr(result, "error_in_exec", None)
        entry = error.__traceback__ if isinstance(error, Exception) else None
        while entry is not None and (entry.tb_frame.f_globals is not self.shell.user_ns or not entry.tb_lineno):
            entry = entry.tb_next
        if entry is None:
            return ""
        called = entry.tb_next.tb_frame if entry.tb_next is not None else entry.tb_frame
        around = str(called.f_globals.get("__name__")).partition(".")[0] in SURROUNDINGS
        around = around and called.f_code.co_name != "_modified_open"  # `open`, in which IPython has a hand
        if not around and not isinstance(error, ImportError):
            return ""
        if source.lstrip().startswith("%%"):
            return "\n" + source.lstrip().partition("\n")[2]
        lines = self._as_python(source).split("\n")
        ends = (s.end_lineno or 0 for s in ast.parse("\n".join(lines)).body if s.lineno <= entry.tb_lineno)
        end = max(ends, default=len(lines))
        return "\n" * end + "\n".join(lines[end:])

    def ends(self, source: str) -> None:
        """Call after a cell: restores the learner's names, to which those join that a test bound."""
        if self._tests is not None:
            self.shell.user_module, self.shell.user_ns = self._learners
            names, self._tests = self._tests, None
            bound = names_bound(self._as_python(source))
            self.shell.user_ns.update({name: names[name] for name in bound if name in names})

    def keep(self, name: str, source: str) -> None:
        """Call after an unchanged locked cell: keeps what it defined."""
        self._locked.add(self._as_python(source).strip())
        self.guard.after_given(name, self._as_python(source), self.shell.user_ns)

    def outcome(self, result: ExecutionResult | SimpleNamespace | None) -> Outcome:
        """Make an Outcome of the shell's result; None if even the cell's error could not be shown."""
        if result is None:
            return Outcome("error", "Interrupted", "its error could not be shown")
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            collapse(error)
        if isinstance(error, TimeLimit):
            return Outcome("timeout")
        if error is not None:
            also = tuple(self.also)
            place = "" if isinstance(error, Mismatch) else place_of(error, self._is_learners)
            kind, mark = type(error).__name__, error.mark if type(error) is Mismatch else ""
            return Outcome("error", kind, told(error), None, self.overwritten, also, mark, place)
        if result.result is None:
            return Outcome("ok", overwritten=self.overwritten)
        feedback = result.result.feedback if type(result.result) is Credit else ""
        return Outcome("ok", message=feedback, value=shown(result.result), overwritten=self.overwritten)

    def _is_learners(self, frame: FrameType) -> bool:
        """Tell whether a frame runs code of an answer, and not of a test, of a locked cell or of the author's."""
        if frame.f_globals is not self._learners[1]:
            return False
        lines = linecache.getlines(frame.f_code.co_filename)
        return bool(lines) and "".join(lines).strip() not in self._locked

    def _as_python(self, source: str) -> str:
        """Return the source of a cell without IPython's magics."""
        try:
            return self.shell.transform_cell(source)
        except SyntaxError:
            return ""


class _Module:
    """As much of a module as IPython needs: names, in its `__dict__`."""


def quiet_shell(results: bool = False) -> InteractiveShell:
    """Make an IPython that shows no tracebacks and keeps no history on disk; without `results` no values either.

    What a notebook may ask of the program around it (a window for figures, its own end, `%autosave`) does nothing.
    """
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.history_load_length = 0
    shell = InteractiveShell.instance(config=config)
    if not results:
        shell.displayhook.quiet = lambda: True
    for name in (*TRACEBACKS, "enable_gui", "ask_exit"):
        setattr(shell, name, _nothing)
    for name in KERNELS_OWN:
        shell.register_magic_function(_nothing, "line", name)
    return shell


def _nothing(*args: object, **options: object) -> None:
    """Take any arguments and do nothing."""


class Plain:
    """As much of IPython as a Runner needs. Its commands, such as `%time`, mean nothing here."""

    def __init__(self) -> None:
        self.user_module: object = None
        self.user_ns: dict[str, Any] = {"__name__": "__main__"}

    def transform_cell(self, source: str) -> str:
        return re.sub(r"^(\s*)[%!].*", r"\1pass", source, flags=re.MULTILINE)

    def run_cell(self, source: str, store_history: bool, cell_id: str) -> SimpleNamespace:
        """Run a cell; its result is the value of its last line."""
        name = f"<{cell_id or 'cell'}>"
        ended = SimpleNamespace(result=None, error_before_exec=None, error_in_exec=None)
        try:
            code = self.transform_cell(source)
            linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
            body = ast.parse(code, name)
            last = body.body[-1] if body.body else None
            if isinstance(last, ast.Expr):
                body.body.pop()
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(body, name, "exec", dont_inherit=True), self.user_ns)
                if isinstance(last, ast.Expr):
                    value = ast.Expression(last.value)
                    ended.result = eval(compile(value, name, "eval", dont_inherit=True), self.user_ns)
        except (Exception, SystemExit) as error:
            ended.error_in_exec = error
        return ended
