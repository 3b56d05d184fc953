"""Examples for help: `mg.grad?` shows behind the docstring what examples.txt has under `grad`, a session with it.

They stand there, and not in the docstrings, for those who read the library in three evenings (READING.md).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def attach(names: Mapping[str, Any]) -> None:
    """Put each session behind the docstring of its function or class."""
    for paragraph in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").strip().split("\n\n"):
        name, _, session = paragraph.partition("\n")
        first, *rest = name.split(".")
        example_of = functools.reduce(getattr, rest, names[first])
        example_of.__doc__ = f"{inspect.getdoc(example_of)}\n\n{session}"
