"""Derivations in shuffled lines: which orders are right, what is said of others, and the buttons."""

import itertools
import unicodedata

import pytest

from minigrad_course.parsons import Derivation, derivations


@pytest.mark.parametrize("lesson", derivations())
def test_a_derivation_is_shuffled_and_has_an_order(lesson):
    derivation = Derivation(lesson)
    right = [*derivation.needs]
    assert derivation.verdict(right) == (True, f"Right. {derivation.conclusion}")
    assert {*right, *derivation.reasons} == {*derivation.lines} == {*range(1, len(derivation.lines) + 1)}
    assert right != sorted(right)
    for wrong, reason in derivation.reasons.items():
        assert reason
        assert derivation.verdict([*right, wrong])[1].endswith(f"Line {wrong} does not belong here. {reason}")


IN_ORDER = {  # what there is at first, and what a right order gives
    "05": ({"x": 2, "y": 3, "a": 6, "b": 8} | dict.fromkeys([f"{v}_bar" for v in "fabxy"], 0),
           {"x_bar": 48, "y_bar": 28}),
    "08": ({"x": 2, "y": 3, "sin": lambda v: v + 1, "cos": lambda v: v - 1}, {"x_bar": 45, "y_bar": 37}),
    "11": ({"u": 2, "h0": 1, "h1": 3, "h2": 5, "h3": 7, "u_bar": 0}, {"u_bar": -30192}),
}  # fmt: skip
SIGNS = {"·": "*", "−": "-", "²": "**2", "\u0304": "_bar"}


@pytest.mark.parametrize("lesson", IN_ORDER)
def test_right_orders_are_those_that_compute(lesson):
    start, result = IN_ORDER[lesson]
    derivation = Derivation(lesson)
    run = {}
    for number, line in derivation.lines.items():
        text = "".join(SIGNS.get(sign, sign) for sign in unicodedata.normalize("NFD", line.strip("`")))
        run[number] = compile(text, "", "exec")
    for order in itertools.permutations(derivation.needs):
        names = dict(start)
        try:
            for number in order:
                exec(run[number], {}, names)
        except NameError:
            names = {}
        assert derivation.verdict([*order])[0] == (result.items() <= names.items()), order


@pytest.fixture
def derivation(monkeypatch):
    """Four lines, shown in the order c, a, x, b: c needs b, b needs a, and x does not belong."""
    monkeypatch.setattr("random.Random.sample", lambda *_: [2, 4, 1, 3])
    lines = "+ `a`\n+ b\n+ c\n- x | Not this one.\n"
    monkeypatch.setattr("minigrad_course.parsons.derivations", lambda: {"05": ["Which?", lines, "Done."]})
    return Derivation("05")


@pytest.mark.parametrize(
    ("order", "sentence"),
    [((2, 4, 1), "Right. Done."), ((2, 4), "In order so far. Still missing: 1."),
     ((2, 4, 3), "The first 2 can stay. Line 3 does not belong here. Not this one."),
     ((2, 1, 4), "Line 1 needs something that no line before it gives."),
     ((2, 2, 4), "Each of the numbers 1 to 4 stands for a line, and stands once."),
     ((7,), "Each of the numbers 1 to 4 stands for a line, and stands once.")],
)  # fmt: skip
def test_an_order_in_words(derivation, capsys, order, sentence):
    derivation(*order)
    assert capsys.readouterr().out == sentence + "\n"


def test_lines_are_moved_by_buttons(derivation):
    head, columns = derivation.widget.children
    pool, (_, answer, check, result) = columns.children[0], columns.children[1].children
    assert head.value == "Which?"
    assert [row.children[1].value for row in pool.children] == ["c", "<code>a</code>", "x", "b"]
    c, a, x, b = (row.children[0] for row in pool.children)
    for button in (c, a, c, b, c):
        button.click()
    assert [row.children[1].value for row in answer.children] == ["<code>a</code>", "b", "c"]
    assert [row.children[0] for row in pool.children] == [x]
    check.click()
    assert "Right. Done." in result.value
    x.click()
    assert result.value == ""
    check.click()
    assert "The first 3 can stay. Line 3 does not belong here." in result.value


def test_a_page_without_widgets_has_the_lines(derivation):
    bundle = derivation._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"] == "Which?<ol><li>c</li><li><code>a</code></li><li>x</li><li>b</li></ol>"
    assert bundle["text/plain"] == "Which?\n  1  c\n  2  a\n  3  x\n  4  b"
