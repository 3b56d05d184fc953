"""Twenty questions before and after the lessons: right answers, a page, an export, and what a class is told."""

import csv
import re
from pathlib import Path

import pytest

from minigrad_course import cli, concepts, recall

ROOT = Path(__file__).parents[1]
CONCEPTS = concepts.concepts()
FORMS = concepts.FORMS


# ---------------------------------------------------------------- the questions


def test_each_concept_is_asked_twice_alike():
    assert [concept.number for concept in CONCEPTS] == [f"{k + 1:02}" for k in range(20)]
    assert len(recall.questions(concepts.TEXT)) == 40
    assert (ROOT / "minigrad_course" / concepts.TEXT).read_text(encoding="utf-8").count("\n\n") == 60
    for concept in CONCEPTS:
        before, after = (concept.questions[form] for form in FORMS)
        assert before.text != after.text
        for question in (before, after):
            assert len({question.right, *question.wrong}) == 4
            assert question.text.endswith("?")
        lengths = [len(question.text.split()) for question in (before, after)]
        assert max(lengths) <= 1.2 * min(lengths), "they ask the same of other numbers"
        words = [[re.findall("[a-z]{2,}", text) for text in (q.right, *q.wrong)] for q in (before, after)]
        assert words[0] == words[1], "the answers differ by numbers and names alone"


# ---------------------------------------------------------------- asking


@pytest.fixture
def course(tmp_path, monkeypatch):
    monkeypatch.setattr(concepts, "shell", lambda: True)
    monkeypatch.setattr(concepts, "course_or_here", lambda: tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def show(course, monkeypatch):
    """Run the cell of a form; returns the widget."""
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)

    def run(form):
        concepts.twenty_questions(form)
        return shown.pop()

    return run


def press(widget, key):
    widget.children[-1].children[0].value = key


def take(widget, form, right, first=0):
    """Answer the questions from `first` on: those of `right` as they should be."""
    for concept in CONCEPTS[first:]:
        question = concept.questions[form]
        answer = question.right if concept.number in right else question.wrong[0]
        press(widget, str(question.choices().index(answer) + 1))


def test_the_first_form_tells_no_answer(show, course):
    widget = show("before")
    past, question, keys = widget.children
    first, second = (CONCEPTS[k].questions["before"] for k in (0, 1))
    assert first.text in question.value
    assert "<b>1 of 20.</b>" in question.value
    assert [button.description for button in keys.children[1:]] == list("12340")
    assert keys.children[-1].tooltip == concepts.UNKNOWN
    assert f'<li value="0">{concepts.UNKNOWN}</li>' in question.value
    press(widget, "5")
    assert "<b>1 of 20.</b>" in question.value
    press(widget, "0")
    press(widget, str(second.choices().index(second.right) + 1))
    assert past.value == ""
    assert concepts.answers() == {"before": {"01": False, "02": True}, "after": {}}
    assert repr(concepts.page()) == "Questions that are left: 18 before."
    again = show("before")
    assert "<b>3 of 20.</b>" in again.children[1].value
    take(again, "before", {"03"}, first=2)
    ended = again.children[1].value
    assert "2 of 20 right before the lessons. Which ones, you will see after the second form" in ended
    assert concepts.TICK not in ended
    assert again.children[-1].layout.display == "none"
    assert "2 of 20 right" in show("before").children[1].value, "who runs it again is asked nothing"


def test_the_page_compares_both_forms(show, capsys):
    take(show("before"), "before", {f"{k:02}" for k in range(1, 6)})
    widget = show("after")
    take(widget, "after", {f"{k:02}" for k in range(1, 18)})
    shown = repr(concepts.page())
    assert "5 of 20 right before the lessons, 17 of 20 right after the lessons." in shown
    assert "Of what was missing before, you gained 80%." in shown
    assert "  before ✓  after ✓  A step that is too small\n" in shown
    assert "  before ✗  after ✓  All inputs at once\n" in shown
    assert [concept.number for concept in concepts.page().again()] == ["18", "19", "20"]
    last = CONCEPTS[-1]
    assert f"{last.name} (lesson 08)\n    {last.questions['after'].text}" in shown
    assert shown.endswith(f"{last.questions['after'].right}. {last.questions['after'].reason}")
    assert widget.children[1].value.count("(lesson 07)") == 2
    cli.main(["concepts"])
    assert capsys.readouterr().out == shown + "\n"


# ---------------------------------------------------------------- a class


def an_export(path, before, after):
    """Write the export of a learner with so many right answers in the two forms; None: not answered."""
    rows = [concepts.COLUMNS]
    for k, concept in enumerate(CONCEPTS):
        marks = ["" if right is None else int(k < right) for right in (before, after)]
        rows.append([f"{concept.number} {concept.name}", *marks])
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_an_export_has_a_row_for_each_concept(show, course, capsys):
    path = course / "to" / "hand on.csv"
    assert cli.main(["concepts", "--export", str(path)]) == 2
    assert "no question was answered yet" in capsys.readouterr().err
    assert not path.exists()
    take(show("before"), "before", {"01"})
    assert cli.main(["concepts", "--export", str(path)]) == 0
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == ["concept,before,after", "01 A step that is too small,1,", "02 A step to both sides,0,"]
    assert len(lines) == 21
    assert all(re.fullmatch(r"\d\d [\w' ]+,[01],", line) for line in lines[1:])
    assert concepts._read(path) == concepts.answers()
    assert cli.main(["concepts", "--export", str(course)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_class_sees_its_gain(tmp_path, capsys):
    scores = [(4, 12), (8, 17), (0, 5), (20, 20)]
    paths = [an_export(tmp_path / f"{k}.csv", *pair) for k, pair in enumerate(scores)]
    paths.append(an_export(tmp_path / "half.csv", 3, None))
    cli.main(["concepts", "--compare", *map(str, paths)])
    text = capsys.readouterr().out
    gain = (54 / 80 - 32 / 80) / (1 - 32 / 80)
    assert "n = 4 learners who answered both forms; 1 file was incomplete, and left out." in text
    assert "right of 20, on average: 8.0 before, 13.5 after (n = 4)" in text
    assert f"(Hake): g = {gain:.2f} (n = 4)" in text
    assert "of single learners: 0.25 to 0.75, median 0.50 (n = 3)" in text
    assert "    2 ->   4  05 All derivatives by passes forwards\n" in text
