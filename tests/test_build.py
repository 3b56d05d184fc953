"""The authors' build: the same sources give the same bytes, what is stale is named, and nobody's answers are lost."""

from pathlib import Path

import nbformat
import pytest

from minigrad_course.grading import make_notebooks
from minigrad_course.grading.cells import GradingError, release
from minigrad_course.grading.sheet import FILE

ROOT = Path(__file__).parents[1]
EXERCISES = ROOT / "sources" / "exercises"

LESSON = """\
# For authors: this line is in no notebook.

# %% [markdown]
# # 1 · A lesson
#
# With a formula, $x^2$.

# %%
1 + 1  # why?

# %% tags=["raises-exception"]
# ε?
1 / 0

# %%
# %%measure
sum(range(10))
# %matplotlib inline
"""

MARK = '# %% nbgrader={"schema_version": 3, "task": false, '
EXERCISE = f"""\
{MARK}"grade": false, "solution": true, "locked": false, "grade_id": "one"}}
def one():
    ### BEGIN SOLUTION
    return 1
    ### END SOLUTION

{MARK}"grade": true, "solution": false, "locked": true, "grade_id": "test_one", "points": 2}}
assert one() == 1
### BEGIN HIDDEN TESTS
assert isinstance(one(), int)
### END HIDDEN TESTS
"""

BUILT = [
    "notebooks/01_lesson.ipynb",
    "solutions/01_one/01_one.ipynb",
    "exercises/01_one/01_one.ipynb",
    "exercises/01_one/tests.json",
]


@pytest.fixture
def repository(tmp_path):
    """A repository with one lesson and one exercise, not built yet."""
    (tmp_path / "sources" / "lessons").mkdir(parents=True)
    (tmp_path / "sources" / "exercises" / "01_one").mkdir(parents=True)
    (tmp_path / "sources" / "lessons" / "01_lesson.py").write_text(LESSON, encoding="utf-8")
    (tmp_path / "sources" / "exercises" / "01_one" / "exercise.py").write_text(EXERCISE, encoding="utf-8")
    return tmp_path


def run(repository, *arguments):
    return make_notebooks.main(["--root", str(repository), *arguments])


def exercise_source(repository):
    return repository / "sources" / "exercises" / "01_one" / "exercise.py"


def test_a_built_repository_is_in_step(repository, capsys):
    assert run(repository) == 0
    assert sorted(capsys.readouterr().out.split()[1::2]) == sorted(BUILT)
    before = {path: (repository / path).read_bytes() for path in BUILT}
    assert run(repository, "--check") == 0
    assert run(repository) == 0
    assert capsys.readouterr().out == ""
    assert {path: (repository / path).read_bytes() for path in BUILT} == before
    assert not any(b"\r" in text or b"outputs_" in text for text in before.values())


def test_check_names_what_is_stale_missing(repository, capsys):
    run(repository)
    capsys.readouterr()
    lesson = repository / "notebooks" / "01_lesson.ipynb"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace("1 + 1", "1 + 2"), encoding="utf-8")
    (repository / "exercises" / "01_one" / FILE).unlink()
    (repository / "notebooks" / "02_gone.ipynb").write_text("{}")
    (repository / "notebooks" / "my own notes.ipynb").write_text("{}")
    assert run(repository, "--check") == 1
    out = capsys.readouterr().out
    assert "notebooks/01_lesson.ipynb is stale" in out
    assert "exercises/01_one/tests.json is missing" in out
    assert "notebooks/02_gone.ipynb has no source" in out
    assert out.count("\n") == 4
    assert "1 + 2" in lesson.read_text(encoding="utf-8")


def test_a_lesson_has_cells_in_order_without_outputs(repository):
    run(repository)
    notebook = nbformat.read(repository / "notebooks" / "01_lesson.ipynb", 4)
    nbformat.validate(notebook)
    assert [cell.id for cell in notebook.cells] == ["c00", "c01", "c02", "c03"]
    assert [cell.cell_type for cell in notebook.cells] == ["markdown", "code", "code", "code"]
    assert [cell.source for cell in notebook.cells] == [
        "# 1 · A lesson\n\nWith a formula, $x^2$.",
        "1 + 1  # why?",
        "# ε?\n1 / 0",  # a comment, not a question to IPython
        "%%measure\nsum(range(10))\n%matplotlib inline",
    ]
    slide = {"slideshow": {"slide_type": "slide"}}
    assert [dict(cell.metadata) for cell in notebook.cells] == [slide, {}, {"tags": ["raises-exception"]}, {}]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in notebook.cells[1:])
    assert notebook.metadata.kernelspec.name == "python3"


def test_a_learner_gets_no_solution_and_locked_tests(repository):
    run(repository)
    full, empty = (
        nbformat.read(repository / folder / "01_one" / "01_one.ipynb", 4) for folder in ("solutions", "exercises")
    )
    assert [cell.id for cell in empty.cells] == ["one", "test_one"]
    assert empty.cells[0].source == "def one():\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert empty.cells[1].source == "assert one() == 1"
    assert "return 1" in full.cells[0].source
    assert "isinstance" in full.cells[1].source
    assert empty.cells[1].metadata.editable is False
    assert "editable" not in full.cells[1].metadata
    assert empty.cells[0].metadata.nbgrader == full.cells[0].metadata.nbgrader
    assert empty.cells[0].metadata.nbgrader.schema_version == 3
    assert empty.cells[1].metadata.nbgrader.points == 2
    assert all("raises-exception" in cell.metadata.tags for cell in empty.cells)  # "Run All Cells" goes on
    assert release(full).cells == empty.cells


def test_started_exercises_are_left_alone_unless_forced(repository, capsys):
    run(repository)
    path = repository / "exercises" / "01_one" / "01_one.ipynb"
    # the comment is still there, as it often is; only the answer tells
    started = path.read_text(encoding="utf-8").replace("raise NotImplementedError()", "return 7")
    path.write_text(started, encoding="utf-8")
    exercise_source(repository).write_text(EXERCISE.replace("== 1", "== 1.0"), encoding="utf-8")
    capsys.readouterr()
    assert run(repository) == 0
    assert "holds somebody's answers and is left alone" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == started
    assert run(repository, "--force") == 0
    assert "return 7" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"grade_id": "test_one"', '"grade_id": "one"', "two cells are called 'one'"),
        ('"grade_id": "one"', '"grade_id": "a b"', "needs a grade_id of letters"),
        (', "points": 2', "", "needs points"),
        ("### BEGIN SOLUTION\n", "", "has no `### BEGIN SOLUTION`"),
        ("    ### END SOLUTION\n", "", "`### BEGIN SOLUTION` has no `### END SOLUTION`"),
        ("### END HIDDEN TESTS", "# END HIDDEN TEST", "is nearly a marker"),
        ("assert one() == 1\n", "### BEGIN SOLUTION\n", "stands in a test cell"),
    ],
)
def test_a_slip_in_an_exercise_stops_the_build(repository, capsys, old, new, sentence):
    assert old in EXERCISE
    exercise_source(repository).write_text(EXERCISE.replace(old, new), encoding="utf-8")
    assert run(repository) == 1
    printed = capsys.readouterr().err
    assert "exercise.py" in printed
    assert sentence in printed
    assert printed.count("\n") == 1
    assert not (repository / "exercises").exists()


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('("two", 1, "1", "2", "no")', "there is no answer 'two'; there are one"),
        ('("one", "all", "1", "2", "no")', "'all' cannot be the points of (answer, points, old, new, hint)"),
        ('("one", 1, "1", "2")', "and this is 4 fields: is a comma missing?"),
        ('("one")', "and this is no tuple"),
        ('("one", 1, "1", "2", hint)', "texts and numbers only"),
        ('("one", 1, "return 1.0", "2", "no")', "'return 1.0' does not occur; the nearest line is `return 1`"),
        ('("one", 1, "retrun 1", "2", "no")', "the nearest line is `return 1`"),
        ('("one", 1, "zzz", "2", "no")', "'zzz' does not occur"),
        ('("one", 1, "n", "2", "no")', "'n' occurs 2 times: quote more of it"),
        ('("one", 1, "1", "1  # one", "no")', "this is the right answer again"),
        ('("one", 1, ..., "def one(): return 1", "no")', "this is the right answer again"),
        ('("one", 1, "return 1", "", "no")', "the answer is no Python then, in its line 2: "),
    ],
)
def test_an_impossible_wrong_answer_is_named_by_line(repository, entry, sentence):
    table = exercise_source(repository).with_name("wrong.py")
    table.write_text(f'"""Mistakes."""\n\nWRONG = [\n    {entry},\n]\n', encoding="utf-8")
    with pytest.raises(GradingError, match=r"wrong\.py:4: ") as caught:
        make_notebooks.build(repository)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("source", sorted(EXERCISES.glob("*/exercise.py")), ids=lambda source: source.parent.name)
def test_sheets_are_built_anew(source):
    """The lines that slips end with depend on the grader's code as well as on the exercise."""
    rehearsal = make_notebooks.read_rehearsal(source)
    assert rehearsal.built[True].slips_of == rehearsal.slips_of(True), "the sheets are stale: make notebooks"
