"""Recall: questions from earlier lessons, which of them are asked, and what is kept of the answers."""

import json
import re
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.training import optim
from minigrad_course import cli, recall
from minigrad_course.grading import build
from minigrad_course.grading.report import in_html

ROOT = Path(__file__).parents[1]
LESSONS = sorted(path.stem for path in (ROOT / "sources" / "lessons").glob("[0-9]*.py"))
QUESTIONS = {f"{question.lesson}-{question.number}": question for question in recall.questions()}
NOW = datetime(2030, 1, 1, tzinfo=timezone.utc)
DAY = timedelta(days=1)


# ---------------------------------------------------------------- the questions


def test_every_block_of_the_file_is_a_question():
    text = (ROOT / "minigrad_course" / "recall.txt").read_text(encoding="utf-8")
    blocks = [block for block in text.strip().split("\n\n") if not block.startswith("#")]
    assert len(blocks) == len(QUESTIONS) == len({question.text for question in QUESTIONS.values()})


def test_every_lesson_has_questions_and_every_question_a_lesson():
    numbers = [name[:2] for name in LESSONS]
    assert sorted({question.lesson for question in QUESTIONS.values()}) == numbers[1:-1], (
        "all but the door and the last"
    )
    for number in numbers[1:-1]:
        assert 4 <= sum(question.lesson == number for question in QUESTIONS.values()) <= len(recall.LATER)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_has_one_right_answer_among_three_or_four(question):
    choices = question.choices()
    assert len(choices) in (3, 4)
    assert len({*choices}) == len(choices)
    assert choices.count(question.right) == 1
    assert question.text.endswith("?")
    assert question.reason.endswith(".")


def test_the_right_answer_may_stand_anywhere():
    places = [question.choices().index(question.right) for question in QUESTIONS.values()]
    assert min(places.count(place) for place in range(4)) > len(QUESTIONS) // 5


def error_of(difference, h):
    return abs(difference(np.exp, 1.0, h) - np.e)


def forward(f, x, h):
    return (f(x + h) - f(x)) / h


def central(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


def columns_by_passes(f, n):
    """The number of passes forward that fill the Jacobian in, and the Jacobian."""
    return n, np.stack([mg.jvp(f, (np.ones(n),), (seed,))[1] for seed in np.eye(n)], axis=1)


def newton(x):
    f = lambda x: x * x - 6 * x + 1  # noqa: E731
    return x - mg.derivative(f, x) / mg.derivative(lambda x: mg.derivative(f, x), x)


def descends(rate):
    x = 1.0
    for _ in range(2000):
        x -= rate * mg.derivative(lambda x: 5 * x * x, x)
    return abs(x) < 1


def pooled():
    x = mg.Variable(np.array([[[[1.0, 5.0], [3.0, 2.0]]]]))
    mg.max_pool2d(x, 2).backward(np.full((1, 1, 1, 1), 8.0))
    return x.grad.ravel().tolist()


def twice_backward():
    x = mg.Variable(2.0)
    grads = []
    for _ in range(2):
        (x * x).backward()
        grads.append(float(x.grad))
    return grads


def score_slope():
    scores = mg.Variable(np.log([[0.7, 0.2, 0.1]]))
    mg.softmax_cross_entropy(scores, np.array([0])).backward()
    return scores.grad[0]


def bias_adjoint():
    bias = mg.Variable(np.zeros(10))
    adjoint = np.random.default_rng(0).normal(size=(100, 10))
    (mg.Constant(np.zeros((100, 10))) + bias).backward(adjoint)
    return np.allclose(bias.grad, adjoint.sum(axis=0))


def factor_adjoint():
    rng = np.random.default_rng(0)
    a, b = mg.Variable(rng.normal(size=(3, 4))), rng.normal(size=(4, 5))
    adjoint = rng.normal(size=(3, 5))
    (a @ b).backward(adjoint)
    return np.allclose(a.grad, adjoint @ b.T)


def clipped(clip):
    weight = mg.Variable(np.zeros(2))
    weight.grad[...] = (3, 4)
    clip([weight], 1)
    return weight.grad.tolist()


def states_of_recurrence(steps):
    network = mg.nn.RNN(4, 3, rng=0)
    network(np.ones((steps, 2, 4), np.float32))
    return sum(weight.shape == (3, 3) for weight in network.parameters())


def branch(x):
    return 0 * x if x == 0 else mg.sin(x)


def sigmoid_slope(x):
    return mg.derivative(mg.sigmoid, x)


def tied():
    """The gradient of a matrix that is used twice, and those of its two uses."""
    rng = np.random.default_rng(0)
    w, x = rng.normal(size=(3, 3)), rng.normal(size=(2, 3))
    apart = [mg.Variable(w), mg.Variable(w)]
    (mg.tanh(x @ apart[0]) @ apart[1].T).sum().backward()
    once = mg.Variable(w)
    (mg.tanh(x @ once) @ once.T).sum().backward()
    return np.allclose(once.grad, apart[0].grad + apart[1].grad)


# For each number in a right answer or its reason: it is computed, or follows from what is.
TRUE = {
    "01-0": lambda: error_of(forward, 1e-3) / error_of(forward, 1e-4) == pytest.approx(10, rel=0.01),
    "01-1": lambda: error_of(central, 1e-2) / error_of(central, 1e-3) == pytest.approx(100, rel=0.01),
    "01-2": lambda: error_of(forward, 1e-12) > error_of(forward, 1e-8),
    "01-3": lambda: np.exp(1 + 1e-20j).imag / 1e-20 == pytest.approx(np.e) and forward(np.exp, 1, 1e-20) == 0,
    "02-0": lambda: mg.jvp(lambda x: x * x, (3.0,), (2.0,)) == (9, 12),
    "02-1": lambda: mg.jvp(lambda x: x**2 + 3 * x, (2.0,), (1.0,))[1] == 7,
    "02-2": lambda: mg.derivative(lambda x: x * x, 0.1) == 0.2,
    "02-3": lambda: (lambda passes, jacobian: passes == 784 and np.allclose(jacobian, 2))(
        *columns_by_passes(lambda x: mg.sum(x * x).reshape(1), 784)
    ),
    "03-1": lambda: (lambda passes, jacobian: passes == 2 and jacobian.shape == (100, 2))(
        *columns_by_passes(lambda x: np.ones((100, 2)) @ x, 2)
    ),
    "03-2": lambda: mg.jvp(lambda a, b: a * b, (3.0, 4.0), (1.0, 2.0))[1] == 10,
    "03-4": lambda: mg.derivative(branch, 0.0) == 0 and mg.derivative(branch, 1e-9) == pytest.approx(1),
    "04-0": lambda: mg.vjp(lambda x, y: x * y, 3.0, 3.0)[1](1.0) == (3, 3) and mg.grad(lambda x: x * x)(3.0) == 6,
    "04-1": lambda: mg.grad(lambda x: x)(3.0) == 1,
    "04-2": lambda: mg.grad(lambda x: mg.sum(x * x))(np.ones(784)).shape == (784,),
    "04-3": lambda: mg.vjp(lambda a: a * 5.0, 2.0)[1](3.0)[0] == 15,
    "05-2": lambda: twice_backward() == [4, 8],
    "06-0": lambda: mg.derivative(lambda x: mg.derivative(lambda x: x**3, x), 2.0) == 12,
    "06-2": lambda: descends(0.199) and not descends(0.201),
    "06-3": lambda: newton(10.0) == 3,
    "06-4": lambda: mg.derivative(lambda x: -x * x, 0.0) == 0,
    "07-0": bias_adjoint,
    "07-1": factor_adjoint,
    "07-2": lambda: np.allclose(mg.softmax(np.array([1.0, 2.0]) + 1000), mg.softmax(np.array([1.0, 2.0]))),
    "07-4": lambda: np.allclose(score_slope(), [-0.3, 0.2, 0.1]),
    "08-3": lambda: mg.derivative(mg.tanh, 0.6) == pytest.approx(1 - np.tanh(0.6) ** 2),
    "09-2": lambda: round(6 / (0.5 - 0.2), 9) == 20,
    "09-3": lambda: (np.dtype(np.float32).itemsize, np.dtype(np.float64).itemsize) == (4, 8),
    "10-1": lambda: mg.nn.Linear(784, 16, rng=0).weight.value.var() == pytest.approx(2 / (784 + 16), rel=0.03),
    "11-0": lambda: states_of_recurrence(28) == 1,
    "11-2": lambda: round(0.5**20, 6) == 1e-6,
    "11-3": lambda: (clipped(optim.clip_by_norm), clipped(optim.clip_by_value)) == (pytest.approx([0.6, 0.8]), [1, 1]),
    "12-1": lambda: round(0.99**100, 2) == 0.37,
    "12-2": lambda: 100 / 10 + 10 == 20 == 2 * np.sqrt(100),
    "13-0": lambda: mg.nn.Conv2d(1, 1, 5, bias=False, rng=0).parameters()[0].value.size == 25,
    "13-1": lambda: mg.conv2d(np.ones((1, 1, 28, 28)), np.ones((1, 1, 5, 5))).shape[2:] == (24, 24),
    "13-2": lambda: pooled() == [0, 8, 0, 0],
    "14-2": tied,
    "14-3": lambda: sigmoid_slope(10.0) == pytest.approx(0.000045, abs=5e-7),
}  # fmt: skip
NO_FIGURE = {"05-3", "12-0", "15-0"}  # "adding it to 0", "a gate near 1", "1 lies inside of the spread"


@pytest.mark.parametrize("name", TRUE)
def test_the_right_answer_is_true(name):
    assert TRUE[name]()


def test_every_number_in_an_answer_is_computed():
    with_numbers = {name for name, q in QUESTIONS.items() if re.search(r"\d", q.right + q.reason)}
    assert with_numbers - NO_FIGURE <= TRUE.keys() <= QUESTIONS.keys()


# ---------------------------------------------------------------- which of them are asked


def asked(lesson, answered=None):
    return [f"{q.lesson}-{q.number}" for q in recall.choose(lesson, answered or {}, NOW)]


def test_without_a_history_questions_come_back_after_growing_distances():
    assert asked("09") == ["08-0", "07-1", "06-2", "04-3", "01-4"]
    assert asked("16") == ["15-0", "14-1", "13-2", "11-3", "08-4"]
    assert asked("02") == ["01-0", "01-1", "01-2", "01-3", "01-4"]


@pytest.mark.parametrize("lesson", [name[:2] for name in LESSONS[2:]])
def test_five_different_questions_from_earlier_lessons(lesson):
    names = asked(lesson)
    assert len({*names}) == recall.AT_ONCE
    assert all(name < lesson for name in names)


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


def test_an_answer_that_is_right_lasts_longer_each_time_and_a_wrong_one_a_day(spacing):
    first, second = days((0, True)), days((0, True), (3, True))
    third = days((0, True), (3, True), (13, True))
    assert 1 < first < second < third
    assert days((0, False)) == 1
    assert days((0, True), (3, True), (13, False)) < second


def test_what_is_due_comes_first_then_what_is_new(spacing):
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


def test_a_broken_line_takes_no_other_with_it(notebook, tmp_path):
    widget = notebook()
    press(widget, "1")
    text = next(iter(recall.history()))
    with (tmp_path / ".minigrad" / recall.FILE).open("a", encoding="utf-8") as file:
        file.write('\n{"question": "half a li\n[]\n7\n{}\n{"question": "q", "when": "no time", "right": true}\n')
        file.write(json.dumps({"question": "q", "when": 3, "right": True}))
    press(widget, "2")
    assert len(recall.history()) == 2
    assert text in recall.history()


def test_outside_of_a_notebook_nothing_happens(capsys):
    assert recall.recall("09") is None
    assert capsys.readouterr().out == ""


def test_progress_says_what_fades(notebook, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(recall, "summary", lambda: "points")
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


def test_the_build_puts_a_folded_cell_before_the_first_section(tmp_path):
    path = tmp_path / "07_arrays.py"
    path.write_text("# %% [markdown]\n# # 7\n\n# %%\nx\n\n# %% [markdown]\n# ## A\n\n# %% [markdown]\n# ## B\n")
    _, _, asks, text, _ = build.read_lesson(path).cells
    assert asks.source.endswith('recall("07")')
    assert asks.metadata == {"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}
    assert text.source == "## A"
    for name in LESSONS:
        cells = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8").count("recall import recall")
        assert cells == (name[:2] > "01")
