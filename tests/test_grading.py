"""The learner's checker: feedback that says where, points that need proof, hints that fit the mistake."""

import itertools
import json
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from toy_course import (
    RIGHT,
    WRONG,
    answer,
    edit,
    graded,
    make_course,
    notebook_path,
    test_cell,
)  # fmt: skip

from minigrad_course import cli
from minigrad_course.grading import cells, make_notebooks, process, sheet, watch
from minigrad_course.grading.checks import Mismatch, check_close, check_order
from minigrad_course.grading.exercises import course_folder, find
from minigrad_course.grading.outcome import Outcome, score

pytestmark = pytest.mark.slow


@pytest.fixture
def course(tmp_path):
    """The folder of a freshly built course."""
    return make_course(tmp_path)


# Checks: the first place that differs, in one line.

DIAMOND = {"d": ["b", "c"], "b": ["a"], "c": ["a"], "a": []}


@pytest.mark.parametrize("order", [["a", "b", "c", "d"], ["a", "c", "b", "d"], ("a", "b", "c", "d"), iter("abcd")])
def test_any_order_that_puts_parents_first_is_right(order):
    check_order(order, DIAMOND)
    with pytest.raises(Mismatch):
        check_order(["d", "b", "c", "a"], DIAMOND)


NOWHERE = "position 1: got d, but its parent b has not appeared yet (it is nowhere in the list)"


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["a", "d", "b", "c"],
         "position 1: got d, but its parent b has not appeared yet (it comes later, at position 2)"),
        (["a", "d"], NOWHERE),
        (itertools.chain("ad", itertools.repeat("c")), NOWHERE),
        (["a", "b", "a", "c", "d"], "position 2: got a again; it is already at position 0"),
        (["a", "b"], "d is missing: the list has 2 of 4 nodes"),
        (["a", "x"], "position 1: got x, which is not a node of this graph"),
        ({"a", "b", "c", "d"}, "expected a list of nodes, got a set, which has no order"),
        (None,
         "expected a list of nodes, got None (is a `return` missing? `print` shows a value, but hands nothing back)"),
        ("abcd", "expected a list of nodes, got 'abcd' (this is text: numbers stand without quotation marks)"),
    ],
)  # fmt: skip
def test_a_wrong_order_is_named_by_its_position(order, message):
    with pytest.raises(Mismatch) as caught:
        check_order(order, DIAMOND)
    assert str(caught.value) == message
    check_order(["a", "b"], {"b": ["a"], "a": []}.get)  # a function that gives the parents does as well
    with pytest.raises(Mismatch, match="position 0: got b, but its parent a"):
        check_order(["b", "a"], {"b": ["a"], "a": []}.get)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (2, 2.0), (1 + 1e-12, 1), ([1, 2], (1.0, 2.0)), (np.float32(0.5), 0.5), ({"a": 1, "b": 2}, {"a": 1}),
        (1e9 + 0.1, 1e9),
    ],
)  # fmt: skip
def test_numbers_arrays_and_dicts_that_agree_pass(got, expected):
    check_close(got, expected)
    with pytest.raises(Mismatch):
        check_close(got, {"a": 7} if isinstance(expected, dict) else np.asarray(expected) + 1e3)


@pytest.mark.parametrize(
    ("got", "expected", "message"),
    [
        (9, 12, "here: expected 12, got 9"),
        (-0.0, 1, "here: expected 1, got 0"),
        (1 / 3, 0.5, "here: expected 0.5, got 0.333333"),
        (float("nan"), 0, "here: expected 0, got nan"),
        (None, 1, "here: expected 1, got None (is a `return` missing? `print` shows a value, but hands nothing back)"),
        ("1", 1, "here: expected 1, got '1'"),
        ([1, 2, 4], [1, 2, 3], "here, entry 2: expected 3, got 4"),
        ([[1, 2], [3, 5]], [[1, 2], [3, 4]], "here, entry (1, 1): expected 4, got 5"),
        ([1, 2], [1, 2, 3], "here: expected an array of shape (3,), got an array of shape (2,)"),
        (1, [1, 2], "here: expected an array of shape (2,), got a single number"),
        ({"b": 5, "a": 6}, {"a": 1, "b": 2}, "here, a: expected 1, got 6"),
        ({"a": 1}, {"a": 1, "b": 2}, "here: b is missing"),
        (3, {"a": 1}, "here: expected a dict, got 3"),
        (object(), 1, "here: expected 1, got an object of type object"),
        (1j, 1, "here: expected 1, got 1j, a complex"),
    ],
)
def test_a_difference_is_named_with_its_place(got, expected, message):
    with pytest.raises(Mismatch) as caught:
        check_close(got, expected, "here")
    assert str(caught.value).partition(" (")[0] == message.partition(" (")[0]  # the note: test_grading_hints.py


# Points need proof.


@pytest.mark.parametrize(
    ("outcome", "points", "feedback"),
    [
        (Outcome("ok"), 2, ""),
        (Outcome("ok", value="0.5"), 0.5, "partly right"),
        (Outcome("ok", value="0.0"), 0, "partly right"),
        (Outcome("ok", value="7"), 2, ""),
        (Outcome("ok", value="-1"), 0, "partly right"),
        (Outcome("ok", value="nan"), 0, "partly right"),
        (Outcome("ok", value="np.float64(0.0)"), 0, "the test ends in np.float64(0.0)"),
        (Outcome("error", "Mismatch", "expected 1, got 2"), 0, "expected 1, got 2"),
        (Outcome("error", "KeyError", "'a'"), 0, "KeyError: 'a'"),
        (Outcome("error", "NotImplementedError"), 0, "not written yet"),
        (Outcome("error", "NotImplementedError", "no such mode"), 0, "NotImplementedError: no such mode"),
        (Outcome("error", "KeyboardInterrupt"), 0, "KeyboardInterrupt"),
        (Outcome("dead"), 0, "the kernel died"),
        (Outcome("timeout", message="no answer"), 0, "no answer"),
        (Outcome("not run"), None, "not run"),
    ],
)
def test_an_outcome_is_worth_points_and_a_sentence(outcome, points, feedback):
    got, text = score(outcome, 2)
    assert got == points
    assert text.startswith(feedback)
    assert bool(text) == bool(feedback)


# What is taken out of a notebook, and what is put back.


def test_solutions_and_hidden_tests_leave_like_nbgraders():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION\n\ndef g():\n    return f(2)"
    stub = "def f(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n\ndef g():\n    return f(2)"
    assert cells.strip_solution(source) == stub
    assert cells.strip_solution("anything = 1") == "# YOUR CODE HERE\nraise NotImplementedError()"
    assert cells.strip_hidden("a()\n### BEGIN HIDDEN TESTS\nb()\n### END HIDDEN TESTS") == "a()"


@pytest.mark.parametrize(
    "source",
    [
        "### BEGIN SOLUTION\nx",
        "### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION",
        "### END SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION",
    ],
)
def test_an_open_region_is_an_error(source):
    with pytest.raises(cells.GradingError, match="SOLUTION"):
        cells.strip_solution(source)


def sources_to_run(course, full=True):
    exercise = find(["01"], course)[0]
    run, notes = cells.assemble(exercise.read(), exercise.full() if full else cells.release(exercise.full()))
    return [cells.grade_id(cell) or cell["source"] for cell in run], "\n".join(cell["source"] for cell in run), notes


NAMES = ["given", "double", "test_double", "half", "test_half"]


def test_the_tests_that_run_are_the_given_ones(course):
    answer(course)
    assert sources_to_run(course)[0] == NAMES
    assert "double(-1)" in sources_to_run(course, full=True)[1]
    assert "double(-1)" not in sources_to_run(course, full=False)[1]

    def vandalise(notebook):
        by_id = {cell.id: cell for cell in notebook.cells}
        by_id["test_double"].source = "pass"
        by_id["test_double"].metadata.nbgrader.points = 100
        notebook.cells.remove(by_id["test_half"])
        notebook.cells.remove(by_id["given"])

    edit(course, vandalise)
    names, text, notes = sources_to_run(course)
    assert names == NAMES
    assert "double(-1)" in text
    assert "100" not in text
    assert [note.split("`")[1] for note in notes] == ["test_double", "given", "test_half"]


def test_rearranged_cells_do_no_harm(course):
    answer(course)

    def rearrange(notebook):
        by_id = {cell.id: cell for cell in notebook.cells}
        copy = nbformat.from_dict(dict(by_id["test_double"], id="copied"))
        notebook.cells.insert(3, nbformat.v4.new_code_cell("helper = 1"))
        notebook.cells.append(copy)
        for cell in notebook.cells:
            if cell.id != "copied":
                cell.metadata.pop("nbgrader", None)

    edit(course, rearrange)
    names, _, notes = sources_to_run(course)
    assert [name for name in names if name in NAMES and name not in RIGHT] == ["given", "test_double", "test_half"]
    assert "helper = 1" in names
    assert RIGHT["double"] in names
    assert any("twice" in note for note in notes)


# Hints: the same mistake, the same symptom.


def test_hints_fit_the_symptom(course):
    tests = sheet.Sheet.load(course / "exercises" / "01_doubling" / sheet.FILE)

    def hint(message, test="test_double", error="Mismatch", status="error"):
        return tests.row(test, Outcome(status, error, message)).hint

    seven = hint("double(3): expected 6, got 7")
    assert seven.startswith("More than one mistake ends like this. ")  # 3 + 4 and 3 * 7/3 are both 7
    assert seven.count(" Or: ") == 1
    assert hint("double(3): expected 6, got 9") == "You square."
    assert hint("double(3): expected 6, got 4") == "Twice three is six."
    assert hint("double(-1): expected -2, got 2") == "Twice three is six.", "a hidden check"
    assert hint("half(3): expected 1.5, got 1", "test_half") == "That is //."
    assert hint("", error="NotImplementedError") == hint("edited", error="", status="refused") == ""


def test_a_dependent_test_sends_to_the_failed_one(course):
    source = course / "sources" / "exercises" / "01_doubling" / "exercise.py"
    four = f'\n{test_cell("test_both", 1)}\ncheck_close(half(double(4)), 4, "half(double(4))")\n'
    source.write_text(source.read_text(encoding="utf-8") + four, encoding="utf-8")
    make_notebooks.write(course, make_notebooks.build(course))
    tests = sheet.Sheet.load(course / "exercises" / "01_doubling" / sheet.FILE)
    assert tests.tests["test_both"].builds_on == ["test_double", "test_half"]
    assert tests.tests["test_half"].builds_on == []
    wrong, right = Outcome("error", "Mismatch", "half(3): expected 1.5, got 1"), Outcome("ok")
    rows = tests.rows({"test_double": right, "test_half": wrong, "test_both": wrong})
    assert [row.hint for row in rows] == [
        "",
        "That is //.",
        "Fix test_half first, which tests the same code; then come back.",
    ]
    rows = tests.rows({"test_double": wrong, "test_half": wrong, "test_both": right})
    assert rows[1].hint == "That is //."  # its own answer: what happened before says nothing about it


def test_hints_for_hidden_tests_lie_among_the_solutions(course):
    public, full = (find(["01"], course)[0].sheet(full) for full in (False, True))
    assert "You add three." in WRONG  # 3 + 3 is 6 as well: the public test passes
    assert "You add three." not in public.tests["test_double"].hints.values()
    assert "You add three." in full.tests["test_double"].hints.values()


# In a kernel. Each of these starts one or two.


def test_right_answers_earn_everything(course, capsys, monkeypatch):
    monkeypatch.chdir(course)
    answer(course, double="def double(x):\n    return x + 3")
    assert cli.main(["grade"]) == 0
    assert "Public checks passed; hidden tests have not run: minigrad grade --full 01" in capsys.readouterr().out
    assert cli.main(["grade", "--full", "01"]) == 1
    out = capsys.readouterr().out
    assert "double(-1): expected -2, got 2" in out
    assert "Hint: You add three." in out
    assert "  1 / 4" in out


def test_a_killed_kernel_costs_the_test(course):
    answer(course, double="import os\n\ndef double(x):\n    os._exit(0)")
    points, result = graded(course, full=True)
    assert points == {"test_double": 0, "test_half": 1}
    assert result.rows[0].feedback == "the kernel died while this cell ran"


@pytest.mark.parametrize(
    ("double", "end"),
    [
        ("def double(x):\n    while True:\n        x += 1", ": is there a loop that never ends?"),
        ("import time\ndef double(x):\n    time.sleep(3600)", ": is there a loop that never ends?"),
        ("def double(x, ways=60):\n    return ways and double(x, ways - 1) + double(x, ways - 1)",
         ", in the midst of `double`, which calls itself: does it come to an end, or does it go the same way many "
         "times?"),
    ],
)  # fmt: skip
def test_what_never_ends_is_ended(course, double, end):
    answer(course, double=double)
    points, result = graded(course, limit=1)
    assert points == {"test_double": 0, "test_half": 1}
    assert result.rows[0].feedback == f"no answer within 1 s{end}"


def test_an_endless_loop_without_signals_ends(course, monkeypatch):
    monkeypatch.setattr(process, "GRACE", 1)
    answer(course, double="import itertools\ndef double(x):\n    return sum(itertools.repeat(0))")
    points, result = graded(course, limit=1)
    assert points == {"test_double": 0, "test_half": 1}, result
    assert "no answer within 1 s" in result.rows[0].feedback


def test_endless_recursion_has_a_sentence_and_no_traceback(course):
    """Which IPython would make of a thousand frames, in a second, for nobody."""
    watched = "get_ipython().InteractiveTB.structured_traceback = lambda *_, **__: os._exit(1)"
    answer(course, double=f"import os\n{watched}\ndef double(x):\n    return double(x)")
    points, result = graded(course)
    assert points == {"test_double": 0, "test_half": 1}
    assert result.rows[0].feedback == (
        "RecursionError: `double` calls itself without end, or once for each step of a long way"
    )


def test_edited_and_deleted_tests_give_no_points(course):
    def cheat(notebook):
        by_id = {cell.id: cell for cell in notebook.cells}
        by_id["test_double"].source = "pass"
        notebook.cells.remove(by_id["test_half"])

    answer(course, double="def double(x):\n    return 0", half="def half(x):\n    return 0")
    edit(course, cheat)
    for authors in (True, False):
        if not authors:  # a learner's copy: the public tests are in tests.json as well
            shutil.rmtree(course / "solutions")
        points, result = graded(course, full=authors)
        assert points == {"test_double": 0, "test_half": 0}
        assert result.rows[0].feedback == "double(3): expected 6, got 0"
        assert "was edited" in result.notes[0]


def test_an_answer_that_does_not_run_is_named(course):
    answer(course, double="def double(x)\n    return 2 * x")
    points, result = graded(course)
    assert points == {"test_double": 0, "test_half": 1}
    assert "the cell `double` did not run to its end: SyntaxError" in result.notes[0]


# Requests that cannot be met: one sentence, exit code 2.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["grade", "09"], "no exercise starts with '09'; there are: 01_doubling"),
        (["grade", "no.ipynb"], "there is no notebook no.ipynb"),
        (["grade", "broken.ipynb"], "is not a notebook that can be read"),
        (["grade", "other.ipynb"], "other.ipynb belongs to no exercise of this course"),
    ],
)
def test_an_impossible_request_gets_a_sentence(course, monkeypatch, capsys, arguments, sentence):
    monkeypatch.chdir(course)
    (course / "broken.ipynb").write_text("{")
    nbformat.write(nbformat.v4.new_notebook(), course / "other.ipynb")
    assert cli.main(arguments) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("minigrad: ")
    assert sentence in printed
    assert printed.count("\n") == 1


def test_a_broken_sheet_is_named(course, monkeypatch, capsys):
    monkeypatch.chdir(course)
    assert cli.main(["grade"]) == 0
    assert "No exercise is started yet" in capsys.readouterr().out
    (course / "exercises" / "01_doubling" / sheet.FILE).write_text('{"tests": 3}')
    assert cli.main(["grade", "01"]) == 2
    assert "tests.json cannot be read" in capsys.readouterr().err


def test_exercises_are_found_by_number_name_folder(course, monkeypatch):
    monkeypatch.chdir(course)
    path = notebook_path(course)
    elsewhere = course / "my copy.ipynb"
    shutil.copy(path, elsewhere)
    for name in ("01", "01_doubling", "exercises/01_doubling/", str(path), "my copy.ipynb"):
        (result,) = find([name])
        assert result.id == "01_doubling"
    assert result.notebook == elsewhere
    assert find([]) == []
    answer(course, half=None)
    assert [exercise.id for exercise in find([])] == ["01_doubling"]
    monkeypatch.chdir(course.parent)
    assert course_folder() == Path(__file__).parents[1], "from anywhere, the course that this package came with"


# Live, in the notebook.


@pytest.fixture
def notebook(course, monkeypatch):
    """Runs cells as a notebook does, in the exercise's folder; gives what each one showed."""
    monkeypatch.chdir(notebook_path(course).parent)
    shell = InteractiveShell.instance()

    def run(source, cell_id=None):
        with capture_output() as captured:
            result = shell.run_cell(source, cell_id=cell_id)
        run.result = result
        texts = [captured.stdout] + [output.data["text/plain"] for output in captured.outputs]
        run.html = "".join(output.data.get("text/html", "") for output in captured.outputs)
        return " ".join(" ".join(texts).split())  # whatever the columns' widths

    run.cells = {cell.id: cell.source for cell in nbformat.read(notebook_path(course), 4).cells}
    yield run
    watch.stop()
    InteractiveShell.clear_instance()


def test_live_points_appear_under_each_test(notebook):
    assert "4 points to earn" in notebook(notebook.cells["given"], "given")
    notebook("def double(x):\n    return x * x", "double")
    line = notebook(notebook.cells["test_double"], "test_double")
    assert "✗ test_double: 0 of 3 points (0 of 4 in all)" in line
    assert "Hint: You square." in line
    assert "<b>Hint:</b> You square." in notebook.html
    assert isinstance(notebook.result.error_in_exec, Mismatch)
    table = notebook("grading.table()")
    assert "✗ test_double 0 / 3" in table
    assert "· test_half – / 1" in table
    notebook(RIGHT["double"], "double")
    mended = notebook(notebook.cells["test_double"], "test_double")
    assert "✓ test_double: 3 of 3 points" in mended
    assert "✓ test_double 3 / 3" in mended  # the table that is already shown has changed with it
    notebook(RIGHT["half"])
    assert "minigrad grade --full 01" in notebook(notebook.cells["test_half"], "test_half")


def test_live_knows_tests_by_their_text(notebook):
    notebook(notebook.cells["given"])
    notebook(RIGHT["half"])
    assert "✓ test_half: 1 of 1 point" in notebook(notebook.cells["test_half"] + "\n", "vscode-cell-7")
    assert "points" not in notebook("half(4)", "vscode-cell-8")


def test_live_gives_nothing_for_a_test(notebook):
    notebook(notebook.cells["given"])
    assert "✗ test_half: 0 of 1 point" in notebook("pass", "test_half")
    assert "counts only as it was given" in notebook("grading.table()")


def test_live_stops_a_loop_that_never_ends(notebook):
    notebook(notebook.cells["given"])
    notebook("grading.live(limit=0.3)")
    notebook("def half(x):\n    while True:\n        pass")
    notebook(notebook.cells["test_half"], "test_half")
    assert "no answer within 0.3 s" in notebook("grading.table()")
    notebook(RIGHT["half"])
    assert "✓ test_half" in notebook(notebook.cells["test_half"], "test_half")


def test_running_the_first_cell_again_keeps_the_points(notebook):
    notebook(notebook.cells["given"])
    notebook(RIGHT["half"])
    notebook(notebook.cells["test_half"], "test_half")
    notebook(notebook.cells["given"])
    assert "✓ test_half 1 / 1" in notebook("grading.table()")
    assert notebook(notebook.cells["test_half"], "test_half").count("✓ test_half:") == 1


def test_a_sheet_survives_being_written_and_read(course):
    path = course / "exercises" / "01_doubling" / sheet.FILE
    text = path.read_text(encoding="utf-8")
    assert sheet.Sheet.load(path).dumps() == text
    data = json.loads(text)
    assert list(data["tests"]) == ["test_double", "test_half"]
    data["tests"]["test_half"]["of_a_newer_course"] = data["of_a_newer_course"] = 7
    path.write_text(json.dumps(data), encoding="utf-8")
    assert sheet.Sheet.load(path).dumps() == text, "what is not known is ignored"


def test_the_sheet_of_all_tests_is_made_once(course):
    exercise, kept = find(["01"], course)[0], course / "solutions" / "01_doubling" / sheet.FILE
    assert not kept.exists()
    assert "You add three." in exercise.sheet(full=True).tests["test_double"].hints.values()
    kept.write_text(kept.read_text(encoding="utf-8").replace("You add three.", "Kept."), encoding="utf-8")
    assert "Kept." in exercise.sheet(full=True).tests["test_double"].hints.values()
    table = course / "sources" / "exercises" / "01_doubling" / "wrong.py"
    table.write_text(WRONG.replace("You add three.", "You add 3."), encoding="utf-8")
    assert "You add 3." in exercise.sheet(full=True).tests["test_double"].hints.values()
    kept.unlink()
    table.unlink()  # as where the course was installed, and not cloned
    entry = exercise.sheet(full=True).tests["test_double"]
    assert entry.hints == {}
    assert entry.hint(Outcome("error", "Mismatch", "double(3): expected 6, got 9")) == "You square."
