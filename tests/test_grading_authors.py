"""A new exercise from the template, and the review that says whether an exercise is fit for learners."""

import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from toy_course import answer_cell, header, make_course, test_cell

from minigrad_course.grading import make_notebooks, review
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.sheet import FILE, Sheet

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture
def repository(tmp_path):
    shutil.copytree(ROOT / "sources" / "templates", tmp_path / "sources" / "templates")
    return tmp_path


def copied(repository):
    """Copy the template as the guide says."""
    text = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
    command = re.search(r"```sh\n(cp .*\n.*)\n```", text)[1]
    (repository / "sources" / "exercises").mkdir()
    subprocess.run(["bash", "-c", command], cwd=repository, check=True)
    return repository / "sources" / "exercises" / "06_curvature" / "exercise.py"


def test_the_copied_template_is_built(repository, capsys):
    source = copied(repository)
    root = ["--root", str(repository)]
    assert [make_notebooks.main(arguments) for arguments in (root, ["--check", *root])] == [0, 0]
    assert review.main(["06", *root]) == 0
    assert "Fit for learners." in capsys.readouterr().out
    notebook = nbformat.read(repository / "exercises" / "06_curvature" / "06_curvature.ipynb", 4)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert text.startswith("# Exercise 06 · How a curve bends")
    assert "the table\nsays where the others run" in text
    assert "NN" not in source.read_text("utf-8")
    assert Sheet.load(repository / "exercises" / "06_curvature" / FILE).title == "How a curve bends"


LONG = "This is a hint of a length that a learner can be asked to read."


@pytest.mark.parametrize(
    ("points", "new", "hint", "sentence"),
    [
        (1, "x * 0.5", LONG, "loses nothing"),
        (4, "0", LONG, "loses 1, and says"),
        (1, "0", "Short.", "a sentence or two"),
        (1, "x // 2", LONG, ""),  # two hints for one line: both are shown
        (1, "0", LONG, ""),
        (1, "[0 for _ in iter(int, 1)]", LONG, ""),
    ],
)
def test_the_review_names_what_is_wrong(tmp_path, monkeypatch, points, new, hint, sentence):
    monkeypatch.setattr("minigrad_course.grading.rehearse.LIMIT", 0.2)  # the last one never ends
    source = make_course(tmp_path) / "sources" / "exercises" / "01_doubling" / "exercise.py"
    entry = f"    {('half', points, 'x / 2', new, hint)!r},\n]\n"
    table = source.with_name("wrong.py")
    table.write_text(table.read_text("utf-8").removesuffix("]\n") + entry, "utf-8")
    *_, (name, _, complaints), _ = review.review(make_notebooks.read_rehearsal(source))
    assert name == "wrong.py:7"
    assert sentence in " / ".join(complaints)
    assert bool(sentence) == bool(complaints)


def test_the_mistakes_of_the_guide_fit_the_template(repository):
    page = (ROOT / "docs" / "authors.md").read_text("utf-8")
    entries = page[page.index("WRONG = [\n") :].partition("]\n```")[0].removeprefix("WRONG = [\n")
    source = repository / "sources/templates/exercise/exercise.py"
    table = source.with_name("wrong.py")
    count = len(make_notebooks.read_rehearsal(source).wrong)
    table.write_text(table.read_text("utf-8").removesuffix("]\n") + entries + "]\n", "utf-8")
    rehearsal = make_notebooks.read_rehearsal(source)
    assert len(rehearsal.wrong) == count + 3
    assert [complaints for _, _, complaints in review.review(rehearsal) if complaints] == []


def test_the_review_asks_for_advice(tmp_path, capsys):
    course = make_course(tmp_path)
    assert review.main(["--root", str(course)]) == 1
    out = capsys.readouterr().out
    assert "test_half has no advice" in out
    assert "Not fit for learners yet" in out
    (course / "sources" / "exercises" / "01_doubling" / "wrong.py").unlink()
    review.main(["01", "--root", str(course)])
    out = capsys.readouterr().out
    assert "0 wrong answers: at least 4" in out
    assert "no wrong answer replaces double" in out
    assert review.main(["09", "--root", str(course)]) == 1


BUILT_ON_EACH_OTHER = f"""\
# For authors only.

# %% [markdown]
# # Exercise 1

{header("given")}
from minigrad_course.grading import check_close
log = []
def before(x):
    return first(x)

{answer_cell("first")}
### BEGIN SOLUTION
def first(x):
    return x
### END SOLUTION

{test_cell("test_makes_names", 1)}
total, limit = 1, 2
log.append("names")

{answer_cell("second")}
### BEGIN SOLUTION
def second(x):
    return 2 * x
### END SOLUTION

{test_cell("test_reads_names", 1)}
total += limit
check_close(second(total), 6, "second")

{test_cell("test_first_through_what_stands_before_it", 1)}
total = 3
log.append("first")
check_close(before(total), 3, "before")

{test_cell("test_neither", 1)}
log.append("neither")
check_close(len(log), len(log), "log")
"""


def test_a_rehearsal_runs_the_tests(tmp_path):
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "exercise.py").write_text(BUILT_ON_EACH_OTHER, encoding="utf-8")
    notebook = make_notebooks.read_exercise(tmp_path / "01_x" / "exercise.py")
    names = [*(known := perform(notebook))]
    assert all(outcome.status == "ok" for outcome in known.values())
    kept = {name: object() for name in names}  # an outcome of one's own shows that a test was not run
    makes, reads, first, _ = names
    for answer, wrong, run in (
        ("first", "def first(x):\n    return x + 1", {first}),
        ("second", "def second(x):\n    return x", {makes, reads}),
        ("second", "def second(x) return x", {makes, reads}),
    ):
        whole, short = perform(notebook, {answer: wrong}), perform(notebook, {answer: wrong}, known=kept)
        assert {name for name in names if short[name] is not kept[name]} == run
        assert {name: short[name] for name in run} == {name: whole[name] for name in run}
        assert [whole[name] for name in run if name != makes] != [known[name] for name in run if name != makes]
