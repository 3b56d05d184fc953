"""Finds exercises: by id (05_computational_graph), by the start of it (05), or by a path to a notebook."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from minigrad.guards.installation import install
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.sheet import FILE, Sheet

if TYPE_CHECKING:
    from types import ModuleType

    from nbformat import NotebookNode


@dataclass(frozen=True)
class Exercise:
    """One exercise of a course, and a notebook with answers to it."""

    id: str
    notebook: Path
    course: Path

    def read(self) -> NotebookNode:
        """Read the learner's notebook."""
        return read_notebook(self.notebook)

    def full(self) -> NotebookNode | None:
        """Read the author's notebook, with solutions and hidden tests; None if the course does not have it."""
        return read_notebook(self._authors) if self._authors.exists() else None

    @property
    def has_hidden(self) -> bool:
        """Tell whether the hidden tests are here; in a class they stay with the instructor."""
        return self._authors.exists()

    @property
    def _authors(self) -> Path:
        return self.course / "solutions" / self.id / f"{self.id}.ipynb"

    def sheet(self, full: bool = False) -> Sheet:
        """Load points and hints: those of the public tests, or of all.

        Those of all are made of the author's notebook and the table of wrong answers, in seconds, and kept beside it.
        """
        public = Sheet.load(self.course / "exercises" / self.id / FILE)
        notebook = self.full() if full else None
        if notebook is None:
            return public
        from minigrad_course.grading.rehearse import sheet_of_all_tests

        table = self.course / "sources" / "exercises" / self.id / "wrong.py"
        return sheet_of_all_tests(self.id, notebook, table, self._authors.with_name(FILE)).over(public)


def import_nbformat() -> ModuleType:
    """Import nbformat, in 0.1 s instead of 1 s: without a package that checks web addresses, which no notebook has."""
    checker = "rfc3987_syntax"
    absent = "jsonschema" not in sys.modules and checker not in sys.modules
    if absent:
        sys.modules[checker] = None  # type: ignore[assignment]  # Python's own sign for: not to be imported
    try:
        import nbformat
    except ImportError:
        raise GradingError(f"reading notebooks needs nbformat: {install('[course]')}") from None
    finally:
        if absent:
            del sys.modules[checker]
    return nbformat


def read_notebook(path: Path) -> NotebookNode:
    """Read a notebook. Raises GradingError, in a sentence, where it is missing or broken."""
    nbformat = import_nbformat()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about ids, which may well be missing or there twice
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            if not isinstance(cell.source, str) or not isinstance(cell.cell_type, str) or cell.metadata is None:
                raise TypeError
    except FileNotFoundError:
        raise GradingError(f"there is no notebook {path}") from None
    except Exception as error:  # nbformat lets out whatever its parsers raise
        raise GradingError(
            f"{path} is not a notebook that can be read ({type(error).__name__}): "
            "JupyterLab may have kept an older copy in .ipynb_checkpoints beside it"
        ) from None
    return notebook


def course_folder(start: Path | None = None) -> Path:
    """Find the folder with `exercises/` in it: this one, one above it, or the one this package was checked out with."""
    start = (start or Path.cwd()).resolve()
    for folder in (start, *start.parents, Path(__file__).parents[2]):
        if any((folder / "exercises").glob(f"*/{FILE}")):
            return folder
    raise GradingError(f"no exercises were found in {start} or above it: go to the course's folder first")


def course_or_here() -> Path:
    """Return the course's folder; outside of one, this folder."""
    try:
        return course_folder()
    except GradingError:
        return Path.cwd()


def all_exercises(course: Path) -> list[Exercise]:
    """List every exercise of a course, in order."""
    ids = sorted(path.parent.name for path in (course / "exercises").glob(f"*/{FILE}"))
    return [Exercise(name, course / "exercises" / name / f"{name}.ipynb", course) for name in ids]


def find(names: Sequence[str], start: Path | None = None) -> list[Exercise]:
    """Find exercises by their names; without names, all that somebody has started."""
    if not names:
        return [exercise for exercise in all_exercises(course_folder(start)) if _is_started(exercise)]
    return [_find_one(name, start) for name in names]


def _is_started(exercise: Exercise) -> bool:
    """An unreadable notebook counts as started: grading it says what is wrong."""
    try:
        return exercise.notebook.exists() and exercise.sheet().is_started(exercise.read())
    except GradingError:
        return True


def _find_one(name: str, start: Path | None) -> Exercise:
    path = Path(name) if start is None else start / name
    if path.is_file():
        return _of_notebook(path.resolve(), start)
    if name.endswith(".ipynb"):
        raise GradingError(f"there is no notebook {name}")
    name = Path(name).name  # so that exercises/05_computational_graph/, which a shell completes to, works as well
    exercises = all_exercises(course_folder(start))
    matching = [exercise for exercise in exercises if exercise.id == name] or [
        exercise for exercise in exercises if exercise.id.startswith(name)
    ]
    if len(matching) != 1:
        fitting = matching or exercises
        start_of = "several exercises start" if matching else "no exercise starts"
        raise GradingError(f"{start_of} with {name!r}; there are: {', '.join(exercise.id for exercise in fitting)}")
    return matching[0]


def _of_notebook(path: Path, start: Path | None) -> Exercise:
    """Find the exercise that a notebook belongs to, by its metadata or its name."""
    try:
        course = course_folder(path.parent)
    except GradingError:
        course = course_folder(start)
    name = read_notebook(path).metadata.get("minigrad", {}).get("exercise", path.stem)
    for exercise in all_exercises(course):
        if exercise.id == name:
            return Exercise(name, path, course)
    raise GradingError(f"{path.name} belongs to no exercise of this course: is it a lesson?")
