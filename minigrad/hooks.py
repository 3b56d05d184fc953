"""The one hook for packages above the library: public names that they add, such as mg.draw.

The library imports nothing from above. `ADDING` names the module that `import minigrad` imports last, where it is
installed. It calls `add`, and imports what is behind a name only when that name is first asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Mapping
from typing import Any

from minigrad.core.errors import add_internal_dir
from minigrad.guards.interrupts import uninterrupted

ADDING = "minigrad_course.added"
NAMES: dict[str, str] = {}  # a public name, and its place: "package.module" or "package.module:attribute"


def add(names: Mapping[str, str]) -> None:
    """Make names public, each with its place."""
    NAMES.update(names)


def find(name: str) -> Any:
    """Import what was added under a name. Raises KeyError for an unknown one."""
    module, _, attribute = NAMES[name].partition(":")
    with uninterrupted():  # half a compiler would stay so in this process
        namespace = importlib.import_module(module)
    return getattr(namespace, attribute) if attribute else namespace


def bring() -> None:
    """Import the module that adds names, if its package is installed: no line of that package is the learner's."""
    if (package := importlib.util.find_spec(ADDING.partition(".")[0])) is not None:
        add_internal_dir(os.path.dirname(package.origin or "") + os.sep)
        importlib.import_module(ADDING)
