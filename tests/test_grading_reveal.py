"""A solution is shown line by line after three tries, with nothing of the hidden tests, and what was shown is kept."""

import itertools
import shutil
from pathlib import Path

import pytest
from toy_course import answer, make_course

from minigrad_course import cli
from minigrad_course.grading.cells import HIDDEN, SOLUTION
from minigrad_course.grading.exercises import all_exercises, find
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.progress import Progress, lines_shown, summary
from minigrad_course.grading.reveal import TRIES, answers_of, next_line, offer

ROOT = Path(__file__).parents[1]


@pytest.fixture
def exercise(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (exercise,) = find(["01"], make_course(tmp_path / "course"))
    return exercise


def fail(exercise, test, times, feedback="expected 4, got 3"):
    for _ in range(times):
        Progress(exercise.course).note(exercise.id, [Row(test, 0.0, 3.0, feedback)], full=False)


def first_of(exercise):
    return next(iter(answers_of(exercise.sheet()).items()))


def test_a_line_comes_after_three_tries(exercise):
    name, (test, *_) = first_of(exercise)
    fail(exercise, test, TRIES, feedback="not written yet")
    assert next_line(exercise, name, "again").text == ""
    fail(exercise, test, TRIES - 1)
    assert (next_line(exercise, name, "again").text, offer(exercise, test)) == ("", "")
    fail(exercise, test, 1)
    assert offer(exercise, test) == name
    shown = [next_line(exercise, name, "again") for _ in range(9)]
    assert shown[0].text.startswith("def ")
    assert "again shows the next" in shown[0].remark or shown[0].text == shown[-1].text
    assert all(after.text.startswith(before.text) for before, after in itertools.pairwise(shown))
    assert "shows the next" not in shown[-1].remark
    read = lines_shown(exercise.course)[exercise.id][name]
    assert read >= 1
    (standing,) = summary(exercise.course).lines
    assert standing.state().endswith(f"{read} {'line' if read == 1 else 'lines'} of the solution read")
    assert standing.points == 0  # it costs none, and earns none


def test_the_shell_counts_tries_offers_and_shows(exercise, monkeypatch, capsys):
    monkeypatch.chdir(exercise.course)
    monkeypatch.delenv("MINIGRAD_LIVE", raising=False)
    name, _ = first_of(exercise)
    assert cli.main(["solution", "01", name]) == 1
    assert f"0 of {TRIES} tries" in capsys.readouterr().out
    answer(exercise.course, double="def double(x):\n    return x")
    for number in range(1, TRIES + 1):
        assert cli.main(["grade", "01"]) == 1
        offered = f"minigrad solution 01 {name} shows the next line" in capsys.readouterr().out
        assert offered == (number == TRIES)
    assert cli.main(["solution", "01", name]) == 0
    assert "of the solution" in capsys.readouterr().out
    assert cli.main(["solution", "01", "nothing"]) == 2
    assert f"it has: {name}" in capsys.readouterr().err


@pytest.mark.parametrize("exercise", all_exercises(ROOT), ids=lambda exercise: exercise.id)
def test_all_that_is_shown_is_the_answer(exercise, tmp_path):
    """To the last line, and with nothing of a test."""
    for room in ("exercises", "solutions"):
        shutil.copytree(ROOT / room / exercise.id, tmp_path / room / exercise.id)
    copy = type(exercise)(exercise.id, tmp_path / "none.ipynb", tmp_path)
    full = {c["metadata"].get("nbgrader", {}).get("grade_id"): c["source"] for c in exercise.full()["cells"]}
    for name, tests in answers_of(copy.sheet()).items():
        fail(copy, tests[0], TRIES)
        while not (lines := next_line(copy, name, "again")).remark.endswith("of the solution."):
            pass
        written = [line for line in full[name].split("\n") if line.strip() and line.strip() not in SOLUTION]
        assert lines.text.split("\n") == written
        assert not set(HIDDEN) & set(lines.text.split("\n"))
