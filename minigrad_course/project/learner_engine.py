"""Load a learner's file as a module; a missing name counts as not written yet."""

from __future__ import annotations

import contextlib
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from minigrad_course.grading import error_words
from minigrad_course.grading.checks import Mismatch
from minigrad_course.project.graphs import Differs

CASES = {path for path in Path(__file__).with_name("milestones").glob("*.py") if path.stem != "milestone_table"}
PROGRAM = "<your program>"  # the name under which choice 13's program is compiled


class NotThere(NotImplementedError, AttributeError):
    """A name that the learner has not defined yet."""


class Engine:
    """The names of a learner's file."""

    def __init__(self, text: str, file: str = "mine.py"):
        self._names = ModuleType("mine")
        self._names.__file__ = file
        code = compile(text, file, "exec", dont_inherit=True)  # their text must not inherit our `from __future__`
        with _registered(self._names):
            exec(code, self._names.__dict__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._names.__dict__:
            raise NotThere(f"{name} is not written yet")
        return self._names.__dict__[name]


@contextlib.contextmanager
def _registered(module: ModuleType) -> Iterator[None]:
    """Let Python find the module by its name while it runs, as a @dataclass requires."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before


def load(path: Path) -> Engine:
    """The engine in a file. Raises whatever running the file raises."""
    return Engine(path.read_text(encoding="utf-8"), str(path))


def in_words(error: BaseException, file: str) -> tuple[str, str]:
    """Explain an exception in the learner's engine, and return its symptom, which tells mistakes apart.

    It names the last of the learner's lines that the exception passed (of mine.py, or of the generated program), and
    the line of the test that led there.
    """
    if isinstance(error, Differs):
        return str(error) + (_where(error.cause, file)[0] if error.cause else ""), error.symptom
    if isinstance(error, Mismatch):
        return str(error), str(error)
    message = _compiling(error)
    sentence = f"{type(error).__name__}: {message}" if message else type(error).__name__
    symptom = "RecursionError" if isinstance(error, RecursionError) else error_words.everywhere(sentence)
    if isinstance(error, SyntaxError) and error.filename in (file, PROGRAM):
        line = (error.text or "").strip()
        return f"{sentence.split(' (')[0]}: {_whose(error.filename)}line {error.lineno}: `{line}`", symptom
    places = _compiled_from(error) + "".join(_where(error, file))
    return (sentence if sentence.endswith((".", "?", "!")) or not places else f"{sentence}.") + places, symptom


def _compiling(error: BaseException) -> str:
    """Return the text of an exception; of numba's, only the part on unsupported code, without its attempts."""
    text = str(error)
    if not type(error).__module__.startswith("numba."):
        return text
    text = re.sub(r"Failed in \w+ mode pipeline \(step: [^)]*\)", "", text)
    text = re.sub(r"Function\(<(?:built-in )?function (\w+)[^>]*>\)", r"\1", text)
    return " ".join(re.split(r"\n *There are \d+ candidate|\nFile \"|\nDuring:", text)[0].split())


def _compiled_from(error: BaseException) -> str:
    """Name the line of the learner's program where numba stopped, as a sentence; "" for other exceptions."""
    lines = re.findall(rf'File "{re.escape(PROGRAM)}", line (\d+)', str(error))
    if not lines or not type(error).__module__.startswith("numba."):
        return ""
    return f" At your program's line {lines[-1]}: `{linecache.getline(PROGRAM, int(lines[-1])).strip()}`."


def _where(error: BaseException, file: str) -> tuple[str, str]:
    """Name the learner's line that an exception came from, and the test's, each as a sentence or ""."""
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    own = [(frame, line) for frame, line in frames if frame.f_code.co_filename in (file, PROGRAM)]
    tests = [(frame, line) for frame, line in frames if Path(frame.f_code.co_filename) in CASES]
    in_own = f" At {_whose(own[-1][0].f_code.co_filename)}line {own[-1][1]}: `{_line(*own[-1])}`." if own else ""
    if not tests:
        return in_own, ""
    name = tests[-1][0].f_locals.get("name")  # the row, if a test goes through a table
    which = f" with name = {name!r}" if isinstance(name, str) else ""
    return in_own, f" The test was at `{_line(*tests[-1])}`{which}."


def _line(frame: FrameType, line: int) -> str:
    return linecache.getline(frame.f_code.co_filename, line).strip()


def _whose(file: str) -> str:
    return "your program's " if file == PROGRAM else ""
