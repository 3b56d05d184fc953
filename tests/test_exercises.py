"""Every exercise of the course, and the template that new ones are made from: the solution earns everything, the empty
one nothing, and each wrong solution loses what it says and is met with its hint."""

import functools
import shutil
from pathlib import Path

import nbformat
import pytest

from minigrad_course.grading import review
from minigrad_course.grading.build import build_notebooks, build_sheets, read_exercise, read_rehearsal, write
from minigrad_course.grading.cells import grade_id, kind, release
from minigrad_course.grading.exercises import find
from minigrad_course.grading.grade import grade
from minigrad_course.grading.new import TEMPLATE
from minigrad_course.grading.rehearse import perform, read_wrong

ROOT = Path(__file__).parents[1]
SOURCES = [*sorted((ROOT / "sources" / "exercises").glob("*/exercise.py")), ROOT / TEMPLATE / "exercise.py"]

exercises = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.parent.name)


@functools.cache
def rehearsal_of(source):
    return read_rehearsal(source)


def test_there_are_exercises_with_wrong_solutions():
    assert {"02_dual_numbers", "05_computational_graph", "exercise"} <= {source.parent.name for source in SOURCES}
    for source in SOURCES:
        assert len(list(source.parent.glob("wrong/*.py"))) >= 4


@exercises
def test_it_is_fit_for_learners(source):
    """What the solution, the empty exercise and each wrong solution earn and are told (see review.py)."""
    seen = list(review.review(rehearsal_of(source)))
    assert [f"{what} {complaint}" for what, _, complaints in seen for complaint in complaints] == []
    points = {what: sum(row.points for row in rows) for what, rows, _ in seen}
    of = sum(row.of for row in seen[0][1])
    assert points["the solution, public tests"] == points["the solution, all tests"] == of > 0
    assert points["the empty exercise"] == 0
    for path in source.parent.glob("wrong/*.py"):
        assert points[f"wrong/{path.name}"] == of - read_wrong(path).loses < of


@pytest.mark.parametrize("source", SOURCES[:-1], ids=lambda path: path.parent.name)  # the template has none
def test_its_sheets_are_as_built(source):
    for path, sheet in build_sheets(rehearsal_of(source)).items():
        assert (ROOT / path).read_text(encoding="utf-8") == sheet, f"{path} is stale: make notebooks"


# Once through real kernels, as a learner goes: from a copy of what is committed.


@pytest.fixture
def course(tmp_path):
    for room in ("exercises", "solutions"):
        shutil.copytree(ROOT / room, tmp_path / room)
    template = rehearsal_of(SOURCES[-1])
    write(tmp_path, build_notebooks(template.exercise, template.full) | build_sheets(template))
    return tmp_path


def hand_in(course, source, answers):
    """Put answers into the solution cells of a freshly released exercise."""
    name = source.parent.name
    notebook = release(read_exercise(source))
    for cell in notebook.cells:
        if kind(cell) == "solution":
            cell.source = answers[grade_id(cell)]
    nbformat.write(notebook, course / "exercises" / name / f"{name}.ipynb")
    return find([name], course)[0]


def right_answers(source):
    return {grade_id(cell): cell.source for cell in read_exercise(source).cells if kind(cell) == "solution"}


@exercises
def test_in_a_kernel_the_solution_earns_every_point(course, source):
    result = grade(hand_in(course, source, right_answers(source)), full=True)
    assert [row for row in result.rows if not row.passed] == []
    assert result.notes == []
    assert "All tests passed" in result.verdict()


@exercises
def test_in_a_kernel_wrong_solutions_end_with_the_same_lines_as_in_the_rehearsal(course, source):
    """One wrong solution for each answer, all at once."""
    chosen = {read_wrong(path).replaces: read_wrong(path) for path in sorted(source.parent.glob("wrong/*.py"))}
    answers = right_answers(source) | {name: solution.source for name, solution in chosen.items()}
    exercise = hand_in(course, source, answers)
    result = grade(exercise, full=True)
    rehearsed = exercise.sheet(full=True).rows(perform(read_exercise(source), answers))
    said = [(row.test, row.points, row.hint) for row in result.rows]
    assert said == [(row.test, row.points, row.hint) for row in rehearsed]
    assert sum(row.points for row in result.rows) < sum(row.of for row in result.rows)
