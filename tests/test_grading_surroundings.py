"""Right answers keep their points, whatever surrounds them: in the command, in a class, and in an open notebook."""

import json

import pytest
from surrounded_answers import ANYWHERE, ELSEWHERE
from test_grading_live import Notebook
from toy_course import answer_cell, header, notebook_path, test_cell

from minigrad_class import repair, sandbox
from minigrad_class.assignment import Assignment
from minigrad_class.supervise import grade_job
from minigrad_course.grading import make_notebooks
from minigrad_course.grading.exercises import find
from minigrad_course.grading.grade import grade
from minigrad_course.grading.outcome import Outcome
from minigrad_course.isolation.limits import Limits

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

ANSWERS = [*ANYWHERE.items(), *ELSEWHERE.items()]
HEAD = f"""\
# %% [markdown]
# # Exercise 1

{header("given")}
from minigrad_course import grading
from minigrad_course.grading import check_close
grading.live()
"""
TASK = f"""
{header("none_{0}")}
f = None  # that of the task before

{answer_cell("a{0}")}
def f(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

{test_cell("test_{0}", 1)}
check_close(f(3), 6, "{1}")
check_close(f(-1.25), -2.5, "{1}")
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of one exercise, with a task for each of the answers, and all of them in the learner's notebook."""
    folder = tmp_path_factory.mktemp("course")
    source = folder / "sources" / "exercises" / "01_doubling"
    source.mkdir(parents=True)
    tasks = [TASK.replace("{0}", f"{k}").replace("{1}", name) for k, (name, _) in enumerate(ANSWERS)]
    (source / "exercise.py").write_text("\n".join([HEAD, *tasks]), encoding="utf-8")
    (source / "wrong.py").write_text("WRONG = []\n", encoding="utf-8")
    make_notebooks.write(folder, make_notebooks.build(folder))
    path = notebook_path(folder)
    book = json.loads(path.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        if cell["id"].startswith("a"):
            cell["source"] = ANSWERS[int(cell["id"][1:])][1]
    path.write_text(json.dumps(book), encoding="utf-8")
    return folder


def lost(rows):
    """The answers that lost points, and why."""
    return [(ANSWERS[int(row.test[5:])][0], row.feedback) for row in rows if not row.passed]


def test_the_command_gives_every_point(course):
    report = grade(find(["01"], course)[0])
    assert lost(report.rows) == []
    assert [note for note in report.notes if "TypeError" not in note] == []


def test_a_class_gives_every_point(course):
    assignment = Assignment.load("01", course)
    cells = repair.repair(repair.read_cells(notebook_path(course).read_bytes())[0], assignment.full)
    result = grade_job(assignment.job(cells, Limits(cell=10.0, total=300.0), not sandbox.missing()))
    ended = {name: Outcome(**{**o, "overwritten": ()}) for name, o in result["outcomes"].items()}
    assert lost(assignment.sheet.rows({name: ended[name] for name in assignment.sheet.tests})) == []


def test_an_open_notebook_gives_every_point(course):
    book = Notebook(course)
    try:
        book.run("given")
        seen = {}
        for k, (name, source) in enumerate(ANSWERS[: len(ANYWHERE)]):
            book.run(f"none_{k}")
            book.run(f"a{k}", source)
            seen[name] = "1 of 1 point" in book.run(f"test_{k}")
    finally:
        book.close()
    assert [name for name, passed in seen.items() if not passed] == []
