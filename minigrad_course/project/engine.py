"""A learner's file, loaded as a module and asked politely: what it does not have yet is not written yet."""

from __future__ import annotations

import re
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from minigrad_course.grading.checks import Mismatch
from minigrad_course.project.graphs import Differs


class NotThere(NotImplementedError, AttributeError):
    """A name that the learner has not defined yet."""


class Engine:
    """The names of a learner's file."""

    def __init__(self, text: str, file: str = "mine.py"):
        self._names = ModuleType("mine")
        self._names.__file__ = file
        exec(compile(text, file, "exec"), self._names.__dict__)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._names.__dict__:
            raise NotThere(f"{name} is not written yet")
        return self._names.__dict__[name]


def load(path: Path) -> Engine:
    """The engine in a file. Raises whatever running the file raises."""
    return Engine(path.read_text(encoding="utf-8"), str(path))


def told(error: BaseException, file: str) -> tuple[str, str]:
    """What a learner reads of an exception in their engine, and its symptom, which tells mistakes apart.

    A line of the learner's is named where the exception came from one: the last of them.
    """
    if isinstance(error, Differs):
        return str(error), error.symptom
    if isinstance(error, Mismatch):
        return str(error), str(error)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    symptom = "RecursionError" if isinstance(error, RecursionError) else re.sub(r"0x[0-9a-f]+", "0x", said)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        return f"{said.split(' (')[0]}: line {error.lineno}: `{(error.text or '').strip()}`", symptom
    where = f" At line {own[-1].lineno}: `{own[-1].line}`" if own else ""
    return f"{said}{where}", symptom
