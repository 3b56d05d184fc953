"""Packs what students get: the notebook without solutions and hidden tests, and the files that belong to it.

What instructors have written into their own copy (answers, outputs, an engine, notes) is not packed: the files are
those that were built (grading/untouched.py), and whatever was left out is named.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from minigrad_class.assignment import Assignment
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.exercises import read_notebook
from minigrad_course.grading.untouched import WORKED_IN, tracked, untouched
from minigrad_course.grading.whole_files import write_whole

# What students get of the course; in it is nothing of a class, nor how solutions and hidden tests are made.
HANDED_OUT = {".ci", ".editorconfig", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "LICENSE-texts"}
HANDED_OUT |= {"Makefile", "README.md", "constraints.txt", "environment.yml", "postBuild", "pyproject.toml", "tools"}
HANDED_OUT |= {"READING.md", "benchmarks", "docs", "minigrad", "minigrad_course", *WORKED_IN}


def pack(assignment: Assignment, folder: Path) -> tuple[Path, list[str]]:
    """Write `folder`/release/<exercise>.zip: its path, and the files that were left out, or are not as they lie there.

    Raises GradingError if the exercise holds answers.
    """
    root, inside = assignment.course, Path("exercises") / assignment.id
    places = _files(root, inside)
    if inside / f"{assignment.id}.ipynb" not in places:  # a new exercise, which git does not know yet
        places = _below(root, inside)
    notebook = root / inside / f"{assignment.id}.ipynb"
    if notebook.exists() and assignment.sheet.is_started(read_notebook(notebook)):
        raise GradingError(f"{notebook} holds somebody's answers: make notebooks ARGS=--force")
    packed, others = _content(root, places)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in packed.items():
            # The same files make the same zip: no times in it.
            archive.writestr(zipfile.ZipInfo(place.relative_to("exercises").as_posix()), data)
    target = folder / "release" / f"{assignment.id}.zip"
    write_whole(target, content.getvalue())
    return target, others


def course(root: Path, target: Path) -> tuple[int, list[str]]:
    """Lay out what students get, the course without solutions, hidden tests and how both are made, in a folder or in a
    zip, which everybody may read: how many files, and those that were left out, or are not as they lie there."""
    if target.exists() and (target.is_file() or any(target.iterdir())) and target.suffix == ".zip":
        target.unlink()
    packed, others = _content(root, [place for place in _files(root) if place.parts[0] in HANDED_OUT])
    if target.suffix == ".zip":
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for place, data in packed.items():
                about = zipfile.ZipInfo(f"minigrad/{place.as_posix()}")
                about.external_attr = (0o755 if place.parts[0] in (".ci", "tools") else 0o644) << 16
                archive.writestr(about, data)
        write_whole(target, content.getvalue(), public=True)
    else:
        for place, data in packed.items():
            write_whole(target / place, data, sync=False, public=True)
    return len(packed), others


def _content(root: Path, places: list[Path]) -> tuple[dict[Path, bytes], list[str]]:
    """The files as they are handed out, and the names of those that lie there otherwise."""
    packed: dict[Path, bytes] = {}
    others: list[str] = []
    for place in places:
        data = untouched(root, place)
        if data is not None:
            packed[place] = data
        if data != (root / place).read_bytes():
            others.append(place.as_posix())
    return packed, others


def _files(root: Path, inside: Path = Path()) -> list[Path]:
    """The course's own files: those that git knows, where it can be asked."""
    known = tracked(root)
    if not known:
        return _below(root, inside)
    return sorted(place for place in known if place.is_relative_to(inside) and _is_ordinary(root / place))


def _below(root: Path, inside: Path) -> list[Path]:
    places = (path.relative_to(root) for path in (root / inside).rglob("*") if _is_ordinary(path))
    return sorted(place for place in places if not any(is_left_behind(part) for part in place.parts))


def _is_ordinary(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def is_left_behind(part: str) -> bool:
    """Tell whether a file or folder is what programs leave behind."""
    hidden = part.startswith(".") and part not in HANDED_OUT
    return hidden or part in ("__pycache__", "course_files") or part.endswith((".egg-info", ".pyc", ".part"))


def sentence(others: list[str]) -> str:
    """Name the omitted files, for the shell."""
    shown = ", ".join(others[:8]) + (f" and {len(others) - 8} more" if len(others) > 8 else "")
    return f"Packed as they are handed out, without what is in your own copy (answers, outputs, notes): {shown}."
