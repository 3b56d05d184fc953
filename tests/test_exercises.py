"""Every exercise of the course: the solution earns everything, the empty one nothing, and each wrong solution loses
what it says and is met with its hint."""

import shutil
from pathlib import Path

import nbformat
import pytest

from minigrad.grading.build import read_exercise
from minigrad.grading.cells import grade_id, kind, release
from minigrad.grading.exercises import find
from minigrad.grading.grade import grade
from minigrad.grading.rehearse import make_sheet, perform, public_tests, read_wrong

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "sources" / "exercises").glob("*/exercise.py"))
WRONG = sorted((ROOT / "sources" / "exercises").glob("*/wrong/*.py"))

exercises = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.parent.name)
wrong_solutions = pytest.mark.parametrize("path", WRONG, ids=lambda path: f"{path.parents[1].name}-{path.stem}")


def sheet_of(source, public=False):
    wrong = [read_wrong(path) for path in sorted(source.parent.glob("wrong/*.py"))]
    return make_sheet(source.parent.name, read_exercise(source), wrong, public)


def test_there_are_exercises_with_wrong_solutions():
    assert {"02_dual_numbers", "05_computational_graph"} <= {source.parent.name for source in SOURCES}
    for source in SOURCES:
        assert len(list(source.parent.glob("wrong/*.py"))) >= 4


@exercises
def test_the_solution_earns_every_point_with_the_public_and_with_all_tests(source):
    full = read_exercise(source)
    for notebook in (full, public_tests(full)):
        for row in sheet_of(source).rows(perform(notebook)):
            assert row.passed, row


@exercises
def test_the_empty_exercise_earns_nothing_and_says_so_kindly(source):
    for row in sheet_of(source, public=True).rows(perform(release(read_exercise(source)))):
        assert (row.points, row.feedback, row.hint) == (0, "not written yet", "")


@wrong_solutions
def test_a_wrong_solution_loses_its_points_and_meets_its_hint(path):
    source = path.parents[1] / "exercise.py"
    solution = read_wrong(path)
    result = sheet_of(source).rows(perform(read_exercise(source), {solution.replaces: solution.source}))
    assert sum(row.of - row.points for row in result) == solution.loses > 0
    assert solution.hint in [row.hint for row in result]


@wrong_solutions
def test_hints_are_sentences_that_do_not_contain_the_solution(path):
    solution = read_wrong(path)
    assert 40 < len(solution.hint) < 320
    assert solution.hint[-1] in ".?"
    for cell in read_exercise(path.parents[1] / "exercise.py").cells:
        if grade_id(cell) == solution.replaces:
            lines = [line.strip() for line in cell.source.splitlines() if len(line.strip()) > 20]
            assert not [line for line in lines if line in solution.hint]


@exercises
def test_each_test_has_advice_for_the_mistakes_that_nobody_thought_of(source):
    assert all(entry.advice for entry in sheet_of(source).tests.values())


# Once through real kernels, as a learner goes: from a copy of what is committed.


@pytest.fixture
def course(tmp_path):
    for room in ("exercises", "solutions"):
        shutil.copytree(ROOT / room, tmp_path / room)
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
    result = grade(hand_in(course, source, answers), full=True)
    rehearsed = sheet_of(source).rows(perform(read_exercise(source), answers))
    said = [(row.test, row.points, row.hint) for row in result.rows]
    assert said == [(row.test, row.points, row.hint) for row in rehearsed]
    assert sum(row.points for row in result.rows) < sum(row.of for row in result.rows)
