"""Puts the course into a wheel of minigrad: lessons, exercises, solutions, guides. For hatchling (pyproject.toml).

An editable install needs no second copy. Parts may be missing: a class gets the course without its solutions. And what
somebody has written into the course does not go along: then there is no wheel.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WORKED_IN = ("exercises", "notebooks", "project")
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


class Course(BuildHookInterface):
    """The folders of the course, into minigrad_course/course_files/, from where `minigrad lessons` copies them out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files, unless the install is an editable one. Raises ValueError where any is somebody's own."""
        if version == "editable":
            return
        root = Path(self.root)
        places = {part: list(_files(root, part)) for part in self.config.get("parts", WORKED_IN)}
        _refuse_what_is_somebodys_own(root, [p for part in places if part in WORKED_IN for p in places[part]])
        if self.target_name == "wheel":
            for place in [place for part in places.values() for place in part]:
                build_data["force_include"][str(root / place)] = f"minigrad_course/course_files/{place.as_posix()}"


def _files(root: Path, part: str) -> Iterator[Path]:
    paths = [root / part] if (root / part).is_file() else sorted((root / part).rglob("*"))
    for path in paths:
        if path.is_file() and not LEFT_OUT & {*path.relative_to(root).parts}:
            yield path.relative_to(root)


def _refuse_what_is_somebodys_own(root: Path, places: list[Path]) -> None:
    for name in ("minigrad_course", "minigrad_course.grading", "minigrad_course.project"):
        package = types.ModuleType(name)  # without its __init__, which needs what is not installed here
        package.__path__ = [str(root.joinpath(*name.split(".")))]
        sys.modules.setdefault(name, package)
    from minigrad_course.grading.untouched import differing

    if own := differing(root, places):
        names = ", ".join(place.as_posix() for place in own[:8])
        raise ValueError(f"the course is packed as it was built, and these are not so: {names}. Build in a clean clone")
