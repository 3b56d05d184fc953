"""The way to minigrad-class, a distribution of its own: `minigrad class`, and `minigrad project class`."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from types import ModuleType

from minigrad.guards.installation import install
from minigrad_course.grading.cells import GradingError


def module(name: str) -> ModuleType:
    """Return a module of minigrad_class. Raises GradingError where that package is not installed."""
    if importlib.util.find_spec("minigrad_class") is None:
        raise GradingError(
            f"grading a class is for instructors, and minigrad-class is not here: {install('minigrad-class')} "
            "(docs/instructors.md)"
        )
    return importlib.import_module(f"minigrad_class.{name}")


def register(commands: argparse._SubParsersAction) -> None:
    """Add `class` to the commands; without minigrad_class, one that says how to install it."""
    try:
        module("class_command").register(commands)
    except GradingError:
        parser = commands.add_parser("class", help="for instructors (not installed here)")
        parser.add_argument("words", nargs=argparse.REMAINDER)
        parser.set_defaults(run=lambda arguments: module("class_command").run(arguments))  # says how to install it
