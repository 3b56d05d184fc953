"""Recall: questions from earlier lessons, which of them are asked, and what is kept of the answers."""

import re
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

from minigrad_course import cli, recall
from minigrad_course.grading.points_table import in_html

ROOT = Path(__file__).parents[1]
LESSONS = sorted(path.stem for path in (ROOT / "sources" / "lessons").glob("[0-9][0-9]_*.py"))
QUESTIONS = {f"{question.lesson}-{question.number}": question for question in recall.questions()}
NOW = datetime(2030, 1, 1, tzinfo=timezone.utc)
DAY = timedelta(days=1)


# ---------------------------------------------------------------- the questions


def test_every_lesson_has_questions():
    numbers = [name[:2] for name in LESSONS]
    assert sorted({question.lesson for question in QUESTIONS.values()}) == numbers[1:-1], (
        "all but the door and the last"
    )
    for number in numbers[1:-1]:
        assert 4 <= sum(question.lesson == number for question in QUESTIONS.values()) <= len(recall.LATER)


def test_a_question_has_one_right_answer_among_several():
    for question in QUESTIONS.values():
        choices = question.choices()
        assert len({*choices}) == len(choices) in (3, 4)
        assert choices.count(question.right) == 1
        assert question.text.endswith("?")
        assert question.reason.endswith(".")


LONGEST = {  # the lessons whose right answers still give themselves away
}  # fmt: skip


@pytest.mark.parametrize("lesson", sorted({question.lesson for question in QUESTIONS.values()}))
def test_the_right_answer_is_seldom_the_longest(lesson):
    """In at most a third of a lesson's questions: its length says nothing."""
    answers = [(len(q.right), max(map(len, q.wrong))) for q in QUESTIONS.values() if q.lesson == lesson]
    longest = sum(right > wrong for right, wrong in answers)
    assert (3 * longest <= len(answers)) is (lesson not in LONGEST), f"{longest} of {len(answers)}"


# ---------------------------------------------------------------- which of them are asked


def asked(lesson, answered=None):
    return [f"{q.lesson}-{q.number}" for q in recall.choose(lesson, answered or {}, NOW)]


def test_new_questions_come_back_after_growing_distances():
    assert asked("09") == ["08-0", "07-1", "06-2", "04-3", "01-4"]
    assert asked("16") == ["15-0", "14-1", "13-2", "11-3", "08-4"]
    assert asked("02") == ["01-0", "01-1", "01-2", "01-3", "01-4"]


@pytest.fixture(params=["fsrs", "plain"])
def spacing(request, monkeypatch):
    """Both ways to space questions."""
    if request.param == "plain":
        monkeypatch.setitem(sys.modules, "fsrs", None)
    else:
        pytest.importorskip("fsrs", reason="the questions are spaced by the plain rule")


def days(*answers):
    """Days from the last of these answers, each a day and whether it was right, until the question is due."""
    return (recall.due([(NOW + day * DAY, right) for day, right in answers]) - NOW) / DAY - answers[-1][0]


def test_right_answers_last_longer_each_time(spacing):
    first, second = days((0, True)), days((0, True), (3, True))
    third = days((0, True), (3, True), (13, True))
    assert 1 < first < second < third
    assert days((0, False)) == 1
    assert days((0, True), (3, True), (13, False)) < second


def test_what_is_due_comes_first(spacing):
    text = {name: question.text for name, question in QUESTIONS.items()}
    answered = {text["03-4"]: [(NOW - 3 * DAY, False)], text["02-2"]: [(NOW - 90 * DAY, True)]}
    answered[text["08-0"]] = [(NOW, True)]  # it would be the first one otherwise
    assert asked("09", answered) == ["02-2", "03-4", "07-1", "06-2", "04-3"]
    everything = {question.text: [(NOW, True)] for question in QUESTIONS.values()}
    assert len(asked("09", everything)) == recall.AT_ONCE, "nothing is due or new, and the cell was run all the same"
    assert asked("02", answered)[0] == "01-0", "only earlier lessons count"


# ---------------------------------------------------------------- asking


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Run the cell of lesson 09; returns the widget."""
    shown = []
    monkeypatch.setattr(recall, "shell", lambda: True)
    monkeypatch.setattr(recall, "course_or_here", lambda: tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("IPython.display.display", shown.append)

    def run():
        recall.recall("09")
        return shown.pop()

    return run


def press(widget, key):
    widget.children[-1].children[0].value = key


def test_five_keys_answer_five_questions(notebook, tmp_path):
    widget = notebook()
    past, question, keys = widget.children
    field, *buttons = keys.children
    first, second, *rest = recall.choose("09", {}, recall._now())
    assert first.text in question.value
    assert [button.tooltip for button in buttons] == first.choices()
    assert re.findall('<li value="[1-4]">(.*?)</li>', question.value) == first.choices()
    assert not (tmp_path / ".minigrad").exists(), "who runs on is not asked again, and nothing is kept"
    press(widget, "9")
    press(widget, "x")
    assert first.text in question.value
    press(widget, str(first.choices().index(first.right) + 1))
    assert field.value == ""
    assert "Right: " in past.value
    assert in_html(first.reason) in past.value
    buttons[second.choices().index(second.wrong[0])].click()
    assert f"You said: {second.wrong[0]}. Right: {in_html(second.right)}" in past.value
    for later in rest:
        press(widget, str(later.choices().index(later.right) + 1))
    assert "4 of 5 right." in question.value
    assert keys.layout.display == "none"
    lines = (tmp_path / ".minigrad" / recall.FILE).read_text(encoding="utf-8").split()
    assert len(lines) > 5
    answered = recall.history()
    assert [right for question in (first, second) for _, right in answered[question.text]] == [True, False]
    assert first.text not in notebook().children[1].value, "five others"


def test_progress_says_what_fades(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(recall, "summary", lambda: SimpleNamespace(text=lambda width: "points"))
    cli.main(["progress"])
    assert capsys.readouterr().out == "points\n"
    widget = notebook()
    first, second, *_ = recall.choose("09", {}, recall._now())
    for question in (first, second):
        press(widget, str(question.choices().index(question.wrong[0]) + 1))
    assert recall.fading() == "Of 2 questions that you have answered at the start of lessons, none is fading."
    later = recall._now() + 2 * DAY
    monkeypatch.setattr(recall, "_now", lambda: later)
    cli.main(["progress"])
    assert "\n  Fading: 2 questions (1 of lesson 07, 1 of lesson 08). Run" in capsys.readouterr().out
