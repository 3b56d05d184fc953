"""Packs what students get: the notebook without solutions and hidden tests, and the files that belong to it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from minigrad.grading.cells import HIDDEN, SOLUTION, GradingError
from minigrad.grading.classroom.assignment import Assignment
from minigrad.grading.classroom.store import write_whole


def pack(assignment: Assignment, folder: Path) -> Path:
    """Write `folder`/release/<exercise>.zip, and return its path. Raises GradingError if a solution were in it."""
    source = assignment.course / "exercises" / assignment.id
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in source.rglob("*") if path.is_file()):
            inside = path.relative_to(source)
            if any(part.startswith(".") or part == "__pycache__" for part in inside.parts):
                continue
            data = path.read_bytes()
            if path.suffix == ".ipynb" and any(marker.encode() in data for marker in (SOLUTION[0], HIDDEN[0])):
                raise GradingError(f"{path} holds solutions or hidden tests: make notebooks")
            if path.name == f"{assignment.id}.ipynb" and assignment.sheet.is_started(_read(path)):
                raise GradingError(f"{path} holds somebody's answers: make notebooks ARGS=--force")
            # The same files make the same zip: no times in it.
            archive.writestr(zipfile.ZipInfo(f"{assignment.id}/{inside.as_posix()}"), data)
    target = folder / "release" / f"{assignment.id}.zip"
    write_whole(target, content.getvalue())
    return target


def _read(path: Path) -> dict:
    from minigrad.grading.exercises import read_notebook

    return read_notebook(path)
