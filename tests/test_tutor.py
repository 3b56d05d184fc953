"""`minigrad tutor` prints what learners have before them, and nothing of solutions or hidden tests."""

from pathlib import Path

import pytest
from toy_course import make_course

from minigrad_course import cli
from minigrad_course.grading.cells import GradingError, hidden_lines, kind
from minigrad_course.grading.exercises import all_exercises, find
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.sheet import same_comes_out
from minigrad_course.grading.tutor import INSTRUCTION, prompt

ROOT = Path(__file__).parents[1]


def lines(text):
    return {line.strip() for line in text.split("\n") if len(line.strip()) > 3}


@pytest.mark.parametrize("exercise", all_exercises(ROOT), ids=lambda exercise: exercise.id)
def test_no_prompt_has_a_line_of_a_solution(exercise):
    sheet, full = exercise.sheet(), exercise.full()
    secret = set()
    for cell in full["cells"]:
        code = [*enumerate(cell["source"].split("\n"), start=1)]
        if kind(cell) == "solution":
            secret |= lines(cell["source"])
        elif kind(cell) == "test":
            secret |= lines("\n".join(line for k, line in code if k in hidden_lines(cell["source"])))
    learner = exercise.read()
    secret -= {line for cell in learner["cells"] for line in lines(cell["source"])}
    assert len(secret) > 20
    for name, entry in sheet.tests.items():
        for hint in {"", *entry.hints.values(), *map(same_comes_out, entry.slips.values())}:
            text = prompt(sheet, learner, Row(name, 0.0, entry.points, "what the test says", hint))
            assert lines(text) & secret == set()
            assert [line for line in secret if line in text and len(line) > 30] == []
            assert text.startswith(INSTRUCTION)
            assert (hint or entry.advice) in text


def test_an_authors_notebook_is_refused():
    (exercise,) = find(["05"], ROOT)
    with pytest.raises(GradingError, match="author's notebook"):
        prompt(exercise.sheet(), exercise.full(), Row("test_order", 0.0, 2.0))


def test_the_command_takes_the_learners_answer(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(make_course(tmp_path))
    assert cli.main(["tutor", "01"]) == 1
    text = capsys.readouterr().out
    (exercise,) = find(["01"])
    answer = next(cell for cell in exercise.read()["cells"] if kind(cell) == "solution")
    assert f"{next(iter(exercise.sheet().tests))}: not written yet" in text
    assert answer["source"] in text
