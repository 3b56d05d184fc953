"""Twenty questions before and after the lessons: right answers, a page, an export, and what a class is told."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad.core.graph import Graph
from minigrad_course import cli, concepts, recall
from minigrad_course.grading import build
from minigrad_course.viz.pictures_of_programs import needed

ROOT = Path(__file__).parents[1]
CONCEPTS = concepts.concepts()
FORMS = concepts.FORMS


# ---------------------------------------------------------------- the questions


def test_each_of_twenty_concepts_is_asked_twice_in_the_same_words():
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


def test_the_lessons_that_explain_them_are_those_between_the_two_forms():
    assert {concept.lesson for concept in CONCEPTS} == {f"{k:02}" for k in range(1, 9)}


def test_the_right_answer_may_stand_anywhere():
    for form in FORMS:
        places = [c.questions[form].choices().index(c.questions[form].right) for c in CONCEPTS]
        assert {places.count(place) for place in range(4)} == {5}


def forward_error(f, slope, x, h):
    return abs((f(x + h) - f(x)) / h - slope)


def grows(f, slope, x, h, smaller):
    """Say whether the error grows as the step shrinks: the largest of some near each step, for one may be lucky."""
    large, small = (max(forward_error(f, slope, x, near * step) for near in (1, 1.3, 1.7)) for step in (h, smaller))
    return "it grows" if small > 10 * large else "it shrinks"


def left(h, smaller):
    """Say which part of a central difference's error is left."""
    errors = [abs((np.exp(1 + step) - np.exp(1 - step)) / (2 * step) - np.e) for step in (h, smaller)]
    return f"about 1/{errors[0] / errors[1]:.0f}"


def exactness(f, slope, x):
    good = abs(mg.derivative(f, x) - slope) <= 8 * np.finfo(float).eps * abs(slope)
    return "as exact as the program's" if good else "about half"


def passes_forwards(inputs, results):
    """Count passes until all derivatives of a random linear program are known."""
    table = np.random.default_rng(0).normal(size=(results, inputs))
    columns = [mg.jvp(lambda x: table @ x, (np.ones(inputs),), (seed,))[1] for seed in np.eye(inputs)]
    assert np.allclose(np.stack(columns, axis=1), table)
    return len(columns)


def passes_for_speeds(inputs, results):
    """Count passes until the speeds of all results are known: the first one gives them."""
    rng = np.random.default_rng(0)
    table, speeds = rng.normal(size=(results, inputs)), rng.normal(size=inputs)
    assert np.allclose(mg.jvp(lambda x: table @ x, (np.ones(inputs),), (speeds,))[1], table @ speeds)
    return 1


def nodes_of(outputs):
    seen, stack = set(), list(outputs)
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            stack += getattr(node, "inputs", ())
    return len(seen)


def price(_):
    """Count the operations of a gradient by those of the function, for few inputs and for ten times as many."""
    ratios = []
    for n in (20, 200):
        x = [mg.Variable(0.1 * (k + 1)) for k in range(n)]
        f = x[0]
        for other in x[1:]:
            f = mg.sin(f * other)
        ratios.append(nodes_of([f, *mg.adjoints(f, x)]) / nodes_of([f]))
    assert ratios[1] == pytest.approx(ratios[0], rel=0.05)
    return "a few times" if 2 <= ratios[1] <= 5 else "more"


def used_twice(offset, x, parts):
    """Add the parts of both places up: x (x + offset) at x, with the other place held fixed."""
    assert (x + offset, x) == parts
    return mg.derivative(lambda x: x * (x + offset), float(x))


def needs(plain, other):
    """Name the line whose way back changes with the values of its inputs."""
    back = [[mg.vjp(f, *values)[1](1.0) for values in ((2.0, 3.0), (5.0, 7.0))] for f in (plain[1], other[1])]
    changes = [name for (name, _), (first, second) in zip((plain, other), back, strict=True) if first != second]
    return f"only {changes[0]}" if len(changes) == 1 else "both"


def one_way_back(inputs, results):
    table = np.random.default_rng(0).normal(size=(results, inputs))
    (row,) = mg.vjp(lambda x: table @ x, np.ones(inputs))[1](np.eye(results)[0])
    assert np.allclose(row, table[0])
    return f"{row.size} numbers: how the first result depends on each"


def memory(times):
    """Count what is held after a loop: by the graph, and by a dual number."""

    def loop(x, rounds):
        for _ in range(rounds):
            x = mg.sin(x)
        return x

    held = [nodes_of([loop(mg.Variable(1.0), rounds)]) - 1 for rounds in (10, 10 * times)]
    duals = [loop(mg.Dual(1.0, 1.0), rounds) for rounds in (10, 10 * times)]
    assert all(isinstance(dual.value, float) and isinstance(dual.tangent, float) for dual in duals)
    return f"forwards no more, backwards {held[1] // held[0]} times"


def order(f, x, partials):
    """Carry derivatives back from the last value to the first input, in two orders, and say which one is right.

    partials: of each value, last first, those by what it is made of; the last but one stands for "too early".
    """
    right = mg.grad(f)(x)[0]
    for turns in (list(partials), [list(partials)[k] for k in (0, 2, 1)]):
        adjoint = dict.fromkeys([*partials, *"abxy"], 0.0) | {turns[0]: 1.0}
        for name in turns:
            for earlier, partial in partials[name].items():
                adjoint[earlier] += partial * adjoint[name]
        if adjoint[next(iter(partials[turns[-1]]))] == right:
            return f"after it has received from {turns[0]} and from {turns[1]}"
    return ""


def carried_out(f, first, later):
    """Write down the operations of a run with one number, and carry them out with another one."""
    x = mg.Variable(first)
    graph = Graph(f(x, first))
    x.value = later
    return graph.forward()


def products_with_hessian(_):
    """Count the gradients that a product takes: the gradient's function is called once, with dual numbers."""
    calls = []

    def gradient(x):
        calls.append(x)
        return 4 * x * x * x

    x, u = np.arange(1.0, 6), np.array([1.0, 0, 2, 0, -1])
    assert np.allclose(mg.jvp(gradient, (x,), (u,))[1], 12 * x * x * u)
    return "a few" if len(calls) == 1 else str(len(calls))


def newton(f, x, top):
    slope = mg.derivative(f, x)
    after = x - slope / mg.derivative(lambda x: mg.derivative(f, x), x)
    return "closer to the maximum" if abs(after - top) < abs(x - top) else "downhill"


def row_for_all(rows, columns, by):
    b = mg.Variable(np.zeros(columns))
    (mg.Constant(np.zeros((rows, columns))) + b).backward(np.full((rows, columns), float(by)))
    return b.grad[0]


def back_through_product(a, b, name):
    rng = np.random.default_rng(0)
    left_, right_, arrived = mg.Variable(rng.normal(size=a)), rng.normal(size=b), rng.normal(size=(a[0], b[1]))
    (left_ @ right_).backward(arrived)
    return f"G {name}ᵀ" if np.allclose(left_.grad, arrived @ right_.T) else ""


def left_out(*lines):
    alive = needed(lines, {"v4"})
    return " and ".join(line[:2] for line, keeps in zip(lines, alive, strict=True) if not keeps)


# Each right answer, computed: a function, and what it is given in the two forms.
COMPUTED = {
    "01": (grows, (np.exp, np.e, 1, 1e-8, 1e-12), (np.sin, np.cos(2), 2, 1e-7, 1e-11)),
    "02": (left, (0.1, 0.05), (0.3, 0.1)),
    "03": (
        exactness,
        (lambda x: mg.exp(mg.sin(x)), np.exp(np.sin(0.3)) * np.cos(0.3), 0.3),
        (lambda x: x * mg.sin(mg.exp(x)), np.sin(np.exp(0.3)) + 0.3 * np.cos(np.exp(0.3)) * np.exp(0.3), 0.3),
    ),
    "04": (
        lambda a, b: mg.jvp(lambda a, b: a * b, *zip(a, b, strict=True))[1],
        ((3.0, 2.0), (5.0, 1.0)),
        ((4.0, 3.0), (2.0, 5.0)),
    ),
    "05": (passes_forwards, (50, 2), (30, 3)),
    "06": (passes_for_speeds, (50, 2), (30, 3)),
    "07": (
        mg.derivative,
        (lambda x: x * x if x > 1 else 3 * x, 2.0),
        (lambda x: x * x * x if x > 0 else 4 * x, 2.0),
    ),
    "08": (
        lambda f: f"{mg.derivative(f, 0.0):g}, although the slope is {mg.derivative(f, 1e-9):g}",
        (lambda x: 0 * x if x == 0 else mg.sin(x),),
        (lambda x: 0 * x + 1 if x == 0 else mg.exp(x),),
    ),
    "09": (price, (1_000_000,), (10_000,)),
    "10": (used_twice, (2, 3, (5, 3)), (-2, 6, (4, 6))),
    "11": (
        needs,
        (("s", lambda a, b: a + b), ("p", lambda a, b: a * b)),
        (("d", lambda a, b: a - b), ("q", lambda a, b: a / b)),
    ),
    "12": (one_way_back, (5, 3), (4, 2)),
    "13": (memory, (2,), (3,)),
    "14": (
        order,
        (
            lambda p: (p[0] * p[1]) * (p[0] * p[1] + p[0]),
            [3.0, 4.0],
            {"e": {"c": 15, "d": 12}, "d": {"c": 1, "a": 1}, "c": {"a": 4, "b": 3}},
        ),
        (
            lambda p: p[0] * p[1] * p[0] + p[0] * p[1],
            [3.0, 4.0],
            {"w": {"v": 1, "u": 1}, "v": {"u": 3, "x": 12}, "u": {"x": 4, "y": 3}},
        ),
    ),
    "15": (
        carried_out,
        (lambda x, known: x * x if known > 0 else -x, 2.0, -3.0),
        (lambda x, known: 5 * x if known > 1 else x * x, 2.0, 0.5),
    ),
    "16": (products_with_hessian, (1_000,), (4_000,)),
    "17": (newton, (mg.cos, 0.5, 0), (mg.sin, 1.2, np.pi / 2)),
    "18": (row_for_all, (4, 3, 2), (5, 2, 3)),
    "19": (back_through_product, ((2, 3), (3, 4), "B"), ((6, 2), (2, 5), "W")),
    "20": (
        left_out,
        ("v1 = x * y", "v2 = sin(v1)", "v3 = x + y", "v4 = v1 * v3"),
        ("v1 = x + y", "v2 = x * v1", "v3 = exp(v1)", "v4 = cos(v2)"),
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("concept", CONCEPTS, ids=lambda concept: concept.number)
def test_the_right_answer_is_computed_and_no_other_one_is(concept, form):
    compute, *inputs = COMPUTED[concept.number]
    result = compute(*inputs[FORMS.index(form)])
    result = result if isinstance(result, str) else f"{float(result):g}"
    question = concept.questions[form]
    starts = [answer for answer in question.choices() if re.fullmatch(re.escape(result) + r"(\b|:).*", answer)]
    assert question.right in starts
    assert [answer for answer in starts if answer == result or answer == question.right] == [question.right]


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


def test_the_first_form_says_nothing_of_an_answer_and_goes_on_where_it_was_left(show, course):
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


def test_the_first_answer_counts_and_a_broken_line_takes_no_other_with_it(course):
    for right in (False, True):
        concepts.keep(course, concepts.FILE, {"form": "after", "concept": "07", "right": right})
    with (course / ".minigrad" / concepts.FILE).open("a", encoding="utf-8") as file:
        file.write('\n{"form": "before", "conc\n[]\n{"form": "x"}\n{"form": "after", "concept": ["08"]}\n')
    assert concepts.answers() == {"before": {}, "after": {"07": False}}


def test_the_page_compares_both_forms_and_names_what_to_read_again(show, capsys):
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


def test_who_skips_the_first_form_has_no_gain(show):
    take(show("after"), "after", {"01"})
    shown = repr(concepts.page())
    assert "1 of 20 right after the lessons. The first form was not answered, so there is no gain to compute." in shown
    assert "gained" not in shown
    assert "  before ·  after ✓  A step" in shown


def test_a_loss_is_no_gain(show):
    take(show("before"), "before", {"01", "02"})
    take(show("after"), "after", {"01"})
    assert "gained" not in repr(concepts.page())


def test_outside_of_a_notebook_nothing_happens(capsys):
    assert concepts.twenty_questions("before") is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("lesson", "form"), [("01_four_ways", "before"), ("08_tape_to_program", "after")])
def test_the_cell_is_folded_and_left_out_of_the_page(lesson, form):
    notebook = build.read_lesson(ROOT / "sources" / "lessons" / f"{lesson}.py")
    (cell,) = (cell for cell in notebook.cells if "twenty_questions" in cell.source)
    assert cell.source.startswith(f"# Twenty questions {form} the lessons?")
    assert cell.source.endswith(f'twenty_questions("{form}")')
    assert cell.metadata == {"jupyter": {"source_hidden": True}, "tags": ["remove-cell"]}
    at = notebook.cells.index(cell)
    if form == "before":
        assert notebook.cells[at + 1].source.startswith("## ")
        assert not any("\n## " in "\n" + other.source for other in notebook.cells[:at])
    else:
        assert at == len(notebook.cells) - 1


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


def test_an_export_has_a_row_for_each_concept_and_no_name(show, course, capsys):
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


def test_a_class_is_told_how_many_learners_and_their_gain(tmp_path, capsys):
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


@pytest.mark.parametrize(
    ("scores", "words"),
    [([], "n = 0 "), ([(5, None)], "No gain without learners."), ([(20, 20)], "no gain can be computed: all was")],
)
def test_no_claim_without_learners(tmp_path, scores, words):
    text = concepts.compare(an_export(tmp_path / f"{k}.csv", *pair) for k, pair in enumerate(scores))
    assert words in text
    assert "g = " not in text


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda text: "", "has not the rows"),
        (lambda text: text.replace("01 A step", "01 A stride"), "has not the rows"),
        (lambda text: text.replace("small,1,1", "small,1,yes"), r"line 2: after the concept stand two fields"),
        (lambda text: text.replace("small,1,1", "small,1"), r"line 2: after the concept stand two fields"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_export_is_refused(tmp_path, edit, words):
    path = an_export(tmp_path / "one.csv", 3, 9)
    if edit is None:
        path = tmp_path / "none.csv"
    else:
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(concepts.GradingError, match=words):
        concepts.compare([path])
