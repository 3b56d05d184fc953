"""A new exercise from the template, and the review that says whether an exercise is fit for learners."""

import ast
import linecache
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from toy_course import answer_cell, header, make_course, test_cell

from minigrad_course.grading import make_notebooks, new, review
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.sheet import FILE, Sheet

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture
def repository(tmp_path):
    shutil.copytree(ROOT / "sources" / "templates", tmp_path / "sources" / "templates")
    return tmp_path


def everything(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_one_command_makes_an_exercise_that_is_built_and_fit_for_learners(repository, capsys):
    assert new.main(["06_curvature", "How a curve bends", "--root", str(repository)]) == 0
    out = capsys.readouterr().out
    for path in re.findall(r"^wrote (.+)$", out, re.MULTILINE):
        assert (repository / path).is_file()
    assert make_notebooks.main(["--check", "--root", str(repository)]) == 0
    assert review.main(["06", "--root", str(repository)]) == 0
    assert "Fit for learners." in capsys.readouterr().out
    notebook = nbformat.read(repository / "exercises" / "06_curvature" / "06_curvature.ipynb", 4)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert text.startswith("# Exercise 6 · How a curve bends")
    assert "minigrad grade --full 06" in text
    assert "NN" not in (repository / "sources" / "exercises" / "06_curvature" / "exercise.py").read_text("utf-8")
    assert Sheet.load(repository / "exercises" / "06_curvature" / FILE).title == "How a curve bends"


def test_the_title_may_be_left_out(repository):
    assert new.main(["07_arrays_again", "--root", str(repository)]) == 0
    assert Sheet.load(repository / "exercises" / "07_arrays_again" / FILE).title == "Arrays again"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["curvature"], "two digits"),
        (["06_Curvature"], "two digits"),
        (["06_../../x"], "two digits"),
        (["06_curvature", "two\nlines"], "one line"),
        (["02_other"], "is there already"),
        (["02_taken"], "is there already"),
    ],
)
def test_a_name_that_cannot_be_had_gets_a_sentence_and_makes_nothing(repository, capsys, arguments, sentence):
    (repository / "sources" / "exercises" / "02_taken").mkdir(parents=True)
    before = everything(repository)
    assert new.main([*arguments, "--root", str(repository)]) == 1
    printed = capsys.readouterr().err
    assert sentence in printed
    assert printed.count("\n") == 1
    assert everything(repository) == before


def test_without_a_template_or_with_a_broken_one_nothing_is_made(repository, capsys):
    template = repository / new.TEMPLATE / "exercise.py"
    template.write_text(template.read_text("utf-8").replace("### END SOLUTION", ""), "utf-8")
    before = everything(repository)
    assert new.main(["06_x", "--root", str(repository)]) == 1
    assert "has no `### END SOLUTION`" in capsys.readouterr().err
    assert everything(repository) == before
    shutil.rmtree(repository / "sources" / "templates")
    assert new.main(["06_x", "--root", str(repository)]) == 1
    assert "there is no" in capsys.readouterr().err


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
def test_the_review_names_what_is_wrong_with_an_entry(tmp_path, monkeypatch, points, new, hint, sentence):
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
    source = repository / new.TEMPLATE / "exercise.py"
    table = source.with_name("wrong.py")
    count = len(make_notebooks.read_rehearsal(source).wrong)
    table.write_text(table.read_text("utf-8").removesuffix("]\n") + entries + "]\n", "utf-8")
    rehearsal = make_notebooks.read_rehearsal(source)
    assert len(rehearsal.wrong) == count + 3
    assert [complaints for _, _, complaints in review.review(rehearsal) if complaints] == []


def test_the_review_asks_for_advice_and_for_wrong_solutions(tmp_path, capsys):
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


def test_the_review_finds_a_test_that_needs_a_cell_which_learners_may_delete(tmp_path):
    source = make_course(tmp_path) / "sources" / "exercises" / "01_doubling" / "exercise.py"
    text = source.read_text(encoding="utf-8").replace("half(3), 1.5", "half(three), 1.5")
    source.write_text(text.replace("# %% [markdown]", "# %%\nthree = 3\n\n# %% [markdown]"), encoding="utf-8")
    result = {what: sentence for what, _, sentence in review.review(make_notebooks.read_rehearsal(source))}
    assert result["the solution, all tests"] == ["loses points in test_half: NameError: name 'three' is not defined"]


def test_an_exercise_that_cannot_be_read_is_named(tmp_path):
    source = tmp_path / "exercise.py"
    source.write_text("no cells\n")
    with pytest.raises(GradingError, match="has no cell"):
        make_notebooks.read_rehearsal(source)


def test_the_commands_of_the_guide_do_what_it_says(repository):
    text = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")
    commands = re.findall(r"```sh\n\.venv/bin/python -m (.*?)\n```", text)
    assert [command.split()[0] for command in commands] == [
        "minigrad_course.grading.new",
        "minigrad_course.grading.review",
    ]
    for command in commands:
        module, *arguments = shlex.split(command)
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments], cwd=repository, env=os.environ | {"PYTHONPATH": str(ROOT)}
        )
        assert done.returncode == 0
    assert (repository / "exercises" / "06_curvature" / "06_curvature.ipynb").is_file()


def test_a_tree_that_a_traceback_has_left_on_a_node_that_all_trees_share_is_not_copied(tmp_path, monkeypatch):
    """IPython's leave a file's: each slip copied it, and the toy course took five seconds."""

    class Tree:
        def __deepcopy__(self, memo):
            raise AssertionError("it is copied")

    monkeypatch.setattr(ast.parse("x").body[0].value.ctx, "parent", Tree(), raising=False)
    make_course(tmp_path)


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


def test_a_rehearsal_runs_the_tests_that_an_answer_reaches_and_those_that_make_what_these_read(tmp_path):
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


def test_a_rehearsal_leaves_no_source_behind():
    """Elsewhere in the process another file may have a cell's name, and be quoted with its lines."""
    exercise = ROOT / "sources" / "exercises" / "08_tape_to_program" / "exercise.py"
    names = set(linecache.cache)
    outcomes = perform(
        make_notebooks.read_exercise(exercise), {"forward": "def forward_lines(tape):\n    return tape[0][9]"}
    )
    assert "where" in outcomes["test_forward"].place
    assert {name for name in set(linecache.cache) - names if name.startswith("<")} == set()
