"""A course with one exercise of two tasks, for the tests of grading. `double` has a hidden test, `half` has none."""

import textwrap

import nbformat

from minigrad_course.grading import make_notebooks
from minigrad_course.grading.exercises import find
from minigrad_course.grading.grade import grade

MARK = '{"schema_version": 3, "task": false, "grade": %s, "solution": %s, "locked": %s, "grade_id": "%s"%s}'


def header(name, grade="false", solution="false", locked="true", points=None, what=""):
    more = "" if points is None else f', "points": {points}'
    return f"# %%{what} nbgrader=" + MARK % (grade, solution, locked, name, more)


def answer_cell(name):
    return header(name, solution="true", locked="false")


def test_cell(name, points):
    return header(name, grade="true", points=points)


test_cell.__test__ = False  # a helper, whatever its name says

SOURCE = f"""\
# For authors only.

# %% [markdown]
# # Exercise 1

{header("given")}
from minigrad_course import grading
from minigrad_course.grading import check_close
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
check_close(double(-1), -2, "double(-1)")
### END HIDDEN TESTS

{answer_cell("half")}
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

{test_cell("test_half", 1)}
check_close(half(3), 1.5, "half(3)")
"""

WRONG = """\
WRONG = [
    ("double", 3, "2 * x", "x + 4", "You add four."),
    ("double", 3, "2 * x", "x + 3", "You add three."),
    ("double", 3, "2 * x", "x * 7 / 3", "You add one."),
    ("double", 3, "2 * x", "x * x", "You square."),
    ("half", 1, "x / 2", "x // 2", "That is //."),
]
"""

RIGHT = {"double": "def double(x):\n    return x + x", "half": "def half(x):\n    return x / 2"}


def compiled_loop(name, nogil=False):
    """An answer that never ends, in compiled code, which looks for no interrupt. It naps, as its tests need no heat."""
    return f"""
import ctypes
import numba

nap = ctypes.CDLL(None).usleep  # called by compiled code it keeps Python's lock, unlike time.sleep
nap.argtypes, nap.restype = [ctypes.c_uint], ctypes.c_int

@numba.njit(nogil={nogil})
def spin(x):
    while x > 0:
        nap(10_000)
    return x

spin(-1)  # compiled here, so that the test's time is all spent in the loop

def {name}(x):
    return spin(x) if x > 0 else x
"""


def make_course(tmp_path):
    """Build the course; returns its folder."""
    source = tmp_path / "sources" / "exercises" / "01_doubling"
    source.mkdir(parents=True)
    (source / "exercise.py").write_text(SOURCE, encoding="utf-8")
    (source / "wrong.py").write_text(WRONG, encoding="utf-8")
    make_notebooks.write(tmp_path, make_notebooks.build(tmp_path))
    return tmp_path


def notebook_path(course):
    return course / "exercises" / "01_doubling" / "01_doubling.ipynb"


def edit(course, change):
    """Let `change` work on the learner's notebook, and save it."""
    notebook = nbformat.read(notebook_path(course), 4)
    change(notebook)
    nbformat.write(notebook, notebook_path(course))


def answer(course, **sources):
    """Write answers into the learner's notebook: RIGHT, but for those given; None leaves the cell as it was."""

    def change(notebook):
        for cell in notebook.cells:
            source = {**RIGHT, **sources}.get(cell.id)
            if source is not None:
                cell.source = textwrap.dedent(source)

    edit(course, change)


def graded(course, **options):
    """Points by test, and the report."""
    result = grade(find(["01"], course)[0], **options)
    return {row.test: row.points for row in result.rows}, result
