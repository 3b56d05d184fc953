"""Puts the course into a wheel of minigrad: lessons, exercises, solutions, guides. For hatchling (pyproject.toml).

An editable install needs no second copy. And where it is made, parts may be missing: a class gets the course without
its solutions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Course(BuildHookInterface):
    """The folders of the course, into minigrad_course/course_files/, from where `minigrad lessons` copies them out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folders, unless the install is an editable one."""
        if version != "editable":
            for part in self.config["parts"]:
                build_data["force_include"][str(Path(self.root) / part)] = f"minigrad_course/course_files/{part}"
