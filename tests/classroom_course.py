"""A small course for the tests of the classroom: three answers, an essay, and a hidden check."""

import contextlib
import functools
import json
import textwrap
import zipfile

import pytest
from toy_course import answer_cell, header, test_cell

from minigrad_class import batch, collect, marks, repair, sandbox, steps
from minigrad_class.assignment import Assignment
from minigrad_class.notebook_reader import Reader
from minigrad_class.supervise import grade_job
from minigrad_course.grading import make_notebooks
from minigrad_course.isolation.limits import Limits

EXERCISE = "01_doubling"
BOOK = f"{EXERCISE}.ipynb"
SANDBOX = not sandbox.missing()
WALL = [] if SANDBOX else ["--no-sandbox"]  # for the commands that grade
LIMITS = Limits(cell=10.0, total=60.0)
SOURCE = f"""\
# For authors only.

# %% [markdown]
# # Exercise 1 · Doubling

{header("given")}
import numpy as np
from minigrad_course import grading
from minigrad_course.grading import check_close
class Node:
    def __init__(self, value):
        self.value, self.seen = value, 0
def seen(nodes):
    return [node.seen for node in nodes]
grading.live()

{answer_cell("double")}
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

{test_cell("test_double", 3)}
# Stuck? Twice three is six.
check_close(double(3), 6, "double(3)")
### BEGIN HIDDEN TESTS
check_close(double(-1.25), -2.5, "double(-1.25)")
### END HIDDEN TESTS

{answer_cell("half")}
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

{test_cell("test_half", 1)}
check_close(half(np.array([3.0, 5.0])), [1.5, 2.5], "half([3, 5])")

{answer_cell("look")}
def look(nodes):
    ### BEGIN SOLUTION
    for node in nodes:
        node.seen = node.value + 7
    ### END SOLUTION

{test_cell("test_look", 2)}
nodes = [Node(1.5), Node(2.5)]
look(nodes)
check_close(seen(nodes), [8.5, 9.5], "seen")
### BEGIN HIDDEN TESTS
assert nodes[1].seen == 9.5
### END HIDDEN TESTS
"""

ESSAY = f"""
{header("why", grade="true", solution="true", locked="false", points=4, what=" [markdown]")}
# ### BEGIN SOLUTION
# Because it is so.
# ### END SOLUTION
"""

RIGHT = {
    "double": "def double(x):\n    return x + x",
    "half": "def half(x):\n    return x * 0.5",
    "look": "def look(nodes):\n    for node in nodes:\n        node.seen = 7 + node.value",
}


def make_course(folder, essay=False):
    """Build the course in a folder; the assignment."""
    source = folder / "sources" / "exercises" / EXERCISE
    source.mkdir(parents=True)
    (source / "exercise.py").write_text(SOURCE + (ESSAY if essay else ""), encoding="utf-8")
    (source / "wrong.py").write_text('WRONG = [("double", 3, "2 * x", "x * x", "You square.")]\n', encoding="utf-8")
    make_notebooks.write(folder, make_notebooks.build(folder))
    return Assignment.load("01", folder)


def submission(assignment, **answers):
    """A student's notebook: right answers, but for those given; None leaves a cell as it was handed out."""
    path = assignment.course / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for name, text in {**RIGHT, **answers}.items():
        if text is not None:
            cell(notebook, name)["source"] = textwrap.dedent(text)
    return notebook


def notebook_bytes(assignment, **answers):
    """The file of a student's notebook."""
    return json.dumps(submission(assignment, **answers)).encode()


def job_of(assignment, limits=LIMITS, sandboxed=SANDBOX, **answers):
    """The job of grading a student's notebook."""
    cells, _ = repair.read_cells(notebook_bytes(assignment, **answers))
    return assignment.job(repair.repair(cells, assignment.full), limits, sandboxed)


def lay(folder, files):
    """Put files, by their names, into a folder; the folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def zip_of(path, files):
    """The same in a zip: the names are written as they are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def gathered(assignment, heap, folder, **options):
    """The things in a heap by their names, once it is collected into folder/grading."""
    return {one.name: one for one in collect.collect(assignment, heap, folder / "grading", **options).found}


def cell(notebook, name):
    return next(c for c in notebook["cells"] if c["id"] == name)


def position(notebook, name):
    return notebook["cells"].index(cell(notebook, name))


def new_cell(source, **more):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None, **more}


@functools.cache
def _reader(fulls):
    return Reader(json.loads(fulls))


@contextlib.contextmanager
def _shared(assignments):
    yield _reader(json.dumps({one.id: one.full for one in assignments}))


def stay_in_one_process(monkeypatch):
    """Read heaps by one process for all tests, and grade in this one."""
    for module in (collect, marks):
        monkeypatch.setattr(module, "reader_for", _shared)
    monkeypatch.setattr(steps, "calibrate", lambda *_: None)
    monkeypatch.setattr(batch, "with_processes", lambda jobs, _: map(grade_job, jobs))


@pytest.fixture
def in_one_process(monkeypatch):
    """For tests of what stands around grading. (test_classroom.py and test_classroom_limits.py go through them all.)"""
    stay_in_one_process(monkeypatch)
