"""Finds exercises: by id (05_computational_graph), by the start of it (05), or by a path to a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from minigrad_course.grading.cells import GradingError, Notebook, parse
from minigrad_course.grading.sheet import FILE, Sheet


@dataclass(frozen=True)
class Exercise:
    """One exercise of a course, and a notebook with answers to it."""

    id: str
    notebook: Path
    course: Path

    def read(self) -> Notebook:
        """Read the learner's notebook."""
        return read_notebook(self.notebook)

    def full(self) -> Notebook | None:
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


def read_notebook(path: Path) -> Notebook:
    """Read a notebook. Raises GradingError, in a sentence, where it is missing or broken."""
    try:
        return parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise GradingError(f"there is no notebook {path}") from None
    except (OSError, ValueError) as error:
        raise GradingError(
            f"{path} is not a notebook that can be read ({type(error).__name__}): "
            "JupyterLab may have kept an older copy in .ipynb_checkpoints beside it"
        ) from None


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
    name = read_notebook(path)["metadata"].get("minigrad", {}).get("exercise", path.stem)
    for exercise in all_exercises(course):
        if exercise.id == name:
            return Exercise(name, path, course)
    raise GradingError(f"{path.name} belongs to no exercise of this course: is it a lesson?")
