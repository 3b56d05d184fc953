"""Names of `minigrad` that are no import of its own: NumPy's, rows of the derivative table, and what is added above.

The library imports nothing from above. `ADDING` names the module that `import minigrad` imports last, where it is
installed. It calls `add`, and imports what is behind a name only when that name is first asked for.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import inspect
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from minigrad.core.errors import add_internal_dir
from minigrad.core.rules import TABLE
from minigrad.guards.interrupts import uninterrupted
from minigrad.like_numpy.registry import SURFACE, numpys, without

ADDING = "minigrad_course.added"
NAMES: dict[str, str] = {}  # a public name, and its place: "package.module" or "package.module:attribute"


def add(names: Mapping[str, str]) -> None:
    """Make names public, each with its place."""
    NAMES.update(names)


def find(name: str) -> Any:
    """Return mg.name: what was added under it, which is imported now, NumPy's np.name of a traced value, or a row."""
    if name in NAMES:
        module, _, attribute = NAMES[name].partition(":")
        with uninterrupted():  # half a compiler would stay so in this process
            namespace = importlib.import_module(module)
        return getattr(namespace, attribute) if attribute else namespace
    if (op := numpys(name) or TABLE.get(name)) is not None:
        return op
    advice = without(name)
    known = {*dir(importlib.import_module("minigrad")), *SURFACE, *TABLE}
    if not advice and (near := difflib.get_close_matches(name, known, n=1)):
        advice = f": did you mean {near[0]!r}?"
    raise AttributeError(f"minigrad has no {name!r}{advice}")


def bring() -> None:
    """Import the module that adds names, if its package is installed: no line of that package is the learner's."""
    if (package := importlib.util.find_spec(ADDING.partition(".")[0])) is not None:
        add_internal_dir(os.path.dirname(package.origin or "") + os.sep)
        importlib.import_module(ADDING)


def explain(names: Mapping[str, Any]) -> None:
    """Put each session of examples.txt behind the docstring of its function or class, for help: `mg.grad?`."""
    for paragraph in Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        name, _, session = paragraph.partition("\n")
        first, *rest = name.split(".")
        example_of = functools.reduce(getattr, rest, names[first])
        example_of.__doc__ = f"{inspect.getdoc(example_of)}\n\n{session}"
