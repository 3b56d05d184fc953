"""nbgrader's gradebook, for what a person reads: essays, doubtful cases, comments.

After grading, the gradebook knows every submission, with our points as its automatic ones; nbgrader's formgrader shows
them, and a person gives points and comments there. `minigrad class report` reads these back. nbgrader runs no
submission itself. Without nbgrader all the rest works, and essays stay unread.

Points that a person gave count until the answers change; then the gradebook asks for them anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minigrad_course.grading.cells import GradingError, grade_id, kind
from minigrad_course.grading.files import write_whole
from minigrad_course.grading.outcome import Row, in_points

if TYPE_CHECKING:
    from minigrad_class.assignment import Assignment
    from minigrad_class.marks import Mark

Manual = dict[tuple[str, str], tuple[float | None, str]]

MANY = 1_000  # submissions; its database takes a quarter of a second for each

CONFIG = """\
# For nbgrader's formgrader: start JupyterLab in this folder. Grading itself is done by `minigrad class grade`, in a
# sandbox; do not run `nbgrader autograde` here, which would run submissions without one.
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "minigrad"
c.CourseDirectory.db_url = "sqlite:///gradebook.db"
"""


def available() -> bool:
    """Tell whether nbgrader is installed."""
    return importlib.util.find_spec("nbgrader") is not None


def prepare(assignment: Assignment, folder: Path) -> None:
    """Make `folder` one that formgrader can be started in, with the exercise as nbgrader's source."""
    config = folder / "nbgrader_config.py"
    if not config.exists():
        write_whole(config, CONFIG)
    source = assignment.course / "solutions" / assignment.id / f"{assignment.id}.ipynb"
    write_whole(folder / "source" / assignment.id / source.name, source.read_bytes())


def exchange(assignment: Assignment, folder: Path, marks: Iterable[Mark]) -> Manual:
    """Tell the gradebook our points, and hear which ones persons gave, with their comments.

    What is ungraded is not in it, unless a person has given points there: it would count as 0.
    """
    if not available():
        return {}
    prepare(assignment, folder)
    manual_grades: Manual = {}
    with _open(folder / "gradebook.db") as book:
        _describe(book, assignment)
        for mark in marks:
            if mark.status == "ungraded" and not _has_points_by_hand(book, assignment, mark.student):
                _take_out(book, assignment, folder, mark.student)
                continue
            changed = _write_notebook(assignment, folder, mark)
            first, _, last = mark.name.rpartition(" ")
            book.update_or_create_student(mark.student, **({"first_name": first, "last_name": last} if first else {}))
            submission = book.update_or_create_submission(assignment.id, mark.student)
            (notebook,) = submission.notebooks
            by_name = {row.test: row for row in mark.rows}
            for grade in notebook.grades:
                row = by_name.get(grade.name, Row(grade.name, None, 0.0))
                grade.auto_score = row.points
                if changed and grade.manual_score is not None:
                    grade.needs_manual_grade = True
                elif grade.manual_score is None and grade.extra_credit is None:
                    grade.needs_manual_grade = row.points is None
                if not grade.needs_manual_grade and (grade.manual_score is not None or grade.extra_credit):
                    base = grade.manual_score if grade.manual_score is not None else grade.auto_score or 0.0
                    manual_grades[mark.student, grade.name] = (base + (grade.extra_credit or 0.0), "")
            for comment in notebook.comments:
                if comment.manual_comment:
                    points, _ = manual_grades.get((mark.student, comment.name), (None, ""))
                    manual_grades[mark.student, comment.name] = (points, comment.manual_comment)
        book.db.commit()
    return manual_grades


def _has_points_by_hand(book: Any, assignment: Assignment, student: str) -> bool:
    """Tell whether a person has given points to any cell of a submission."""
    from nbgrader.api import MissingEntry

    try:
        submission = book.find_submission(assignment.id, student)
    except MissingEntry:
        return False
    return any(grade.manual_score is not None for notebook in submission.notebooks for grade in notebook.grades)


def _take_out(book: Any, assignment: Assignment, folder: Path, student: str) -> None:
    """Remove what is ungraded, which nbgrader would count as 0 in its means."""
    from nbgrader.api import MissingEntry

    with contextlib.suppress(MissingEntry):
        book.remove_submission(assignment.id, student)
    path = folder / "autograded" / student / assignment.id / f"{assignment.id}.ipynb"
    path.unlink(missing_ok=True)


@contextlib.contextmanager
def _open(database: Path) -> Iterator[Any]:
    """The gradebook. Raises GradingError where its file cannot be used."""
    from nbgrader.api import Gradebook
    from sqlalchemy.exc import SAWarning, SQLAlchemyError

    path = os.environ.get("PATH", "")
    # nbgrader looks for the program `alembic`, which is installed beside this Python, in the PATH.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{path}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SAWarning)  # of nbgrader's own making
            with Gradebook(f"sqlite:///{database.resolve()}") as book:
                yield book
    except SQLAlchemyError as error:
        raise GradingError(f"the gradebook {database} cannot be used: {str(error).splitlines()[0]}") from None
    finally:
        os.environ["PATH"] = path


def _describe(book: Any, assignment: Assignment) -> None:
    """The exercise's cells, as nbgrader keeps them."""
    book.update_or_create_assignment(assignment.id)
    where = (assignment.id, assignment.id)
    book.update_or_create_notebook(assignment.id, assignment.id)
    points = {name: test.points for name, test in assignment.sheet.tests.items()} | assignment.essays
    for cell in assignment.full["cells"]:
        name, what, form = grade_id(cell), kind(cell), cell["cell_type"]
        if name in points:
            book.update_or_create_grade_cell(name, *where, max_score=points[name], cell_type=form)
        if what in ("solution", "essay"):
            book.update_or_create_solution_cell(name, *where)
        if what != "plain":
            book.update_or_create_source_cell(
                name, *where, cell_type=form, source=cell["source"], locked=what in ("test", "given")
            )


def _write_notebook(assignment: Assignment, folder: Path, mark: Mark) -> bool:
    """The notebook that formgrader shows. Whether the answers are others than those it showed before."""
    import nbformat

    path = folder / "autograded" / mark.student / assignment.id / f"{assignment.id}.ipynb"
    digest = hashlib.sha256(json.dumps(mark.answers, sort_keys=True).encode()).hexdigest()
    before = ""
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))["metadata"]["minigrad"]["answers"]
    rows = {row.test: row for row in mark.rows}
    notebook = nbformat.from_dict(assignment.full)
    cells = []
    for original in notebook.cells:
        cell = nbformat.from_dict(original)
        name, what = grade_id(cell), kind(cell)
        if what in ("solution", "essay"):
            answer = mark.answers.get(name, "")[:100_000]
            cell.source = answer if cell.cell_type == "code" else harmless(answer)
        if what == "test":
            row = rows.get(name, Row(name, None, 0.0))
            points = "not graded" if row.points is None else f"{row.points:g}"
            text = f"{points} of {in_points(row.of)}. {row.feedback[:500]}\n"
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
        cells.append(cell)
    if mark.doubts or mark.notes:
        text = "\n".join(f"- {harmless(line[:500])}" for line in [*mark.doubts, *mark.notes][:30])
        cells.insert(0, nbformat.v4.new_markdown_cell(f"**Remarks of the grader**\n\n{text}", id="remarks"))
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=dict(notebook.metadata))
    notebook.metadata["minigrad"] = {"exercise": assignment.id, "answers": digest}
    write_whole(path, nbformat.writes(notebook), sync=False)
    return bool(before) and before != digest


def harmless(markdown: str) -> str:
    """A student's text as formgrader may show it: no HTML and no links that run a script in the grader's browser."""
    text = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", markdown.replace("&#", "&amp;#").replace("&colon", "&amp;colon"))
    return re.sub(r"(?i)\b((?:java|vb)script|data)(\s*):", r"\1\2 :", text)
