"""Packs what students get: the notebook without solutions and hidden tests, and the files that belong to it."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path

from minigrad_course.grading.cells import HIDDEN, SOLUTION, GradingError
from minigrad_course.grading.classroom.assignment import Assignment
from minigrad_course.grading.classroom.store import write_whole


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


WITHHELD = {"solutions", "sources", "tests", "grading", "hub", "build", "dist", "data", "deploy"}


def course(root: Path, target: Path) -> int:
    """Lay out what students get, the course without solutions, hidden tests and how both are made, in a folder or in a
    zip; how many files. With or without git: what git ignores is left out as well, where it can be asked."""
    if target.exists() and (target.is_file() or any(target.iterdir())) and target.suffix == ".zip":
        target.unlink()
    packed: dict[str, bytes] = {}
    for path in _course_files(root):
        place = path.relative_to(root)
        data = path.read_bytes()
        if path.suffix == ".ipynb" and any(marker.encode() in data for marker in (SOLUTION[0], HIDDEN[0])):
            raise GradingError(f"{path} holds solutions or hidden tests: make notebooks")
        packed[place.as_posix()] = data
    if target.suffix == ".zip":
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in packed.items():
                about = zipfile.ZipInfo(f"minigrad/{name}")
                about.external_attr = (0o755 if name.startswith((".ci/", "tools/")) else 0o644) << 16
                archive.writestr(about, data)
        write_whole(target, content.getvalue())
    else:
        for name, data in packed.items():
            write_whole(target / name, data, sync=False)
    return len(packed)


def _course_files(root: Path) -> list[Path]:
    try:
        words = ["git", "-C", str(root), "ls-files", "-z", "--cached"]
        listed = subprocess.run(words, capture_output=True, check=True, timeout=60).stdout.decode().split("\0")
        found = [root / name for name in listed if name] if (root / ".git").exists() else []
    except (OSError, subprocess.SubprocessError):
        found = []
    if not found:
        found = [path for path in root.rglob("*") if not any(_hidden(part) for part in path.relative_to(root).parts)]
    return sorted(
        path
        for path in found
        if path.is_file() and not path.is_symlink() and path.relative_to(root).parts[0] not in WITHHELD
    )


def _hidden(part: str) -> bool:
    kept = (".gitignore", ".editorconfig", ".ci")
    return (part.startswith(".") and part not in kept) or part == "__pycache__" or part.endswith((".egg-info", ".pyc"))


def _read(path: Path) -> dict:
    from minigrad_course.grading.exercises import read_notebook

    return read_notebook(path)
