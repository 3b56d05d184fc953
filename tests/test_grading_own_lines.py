"""An answer's own text: lines that do nothing, lines that write into arguments, and likely causes."""

import ast
from pathlib import Path

import pytest
from right_answers import RIGHT

from minigrad_course.grading.cells import grade_id, kind
from minigrad_course.grading.make_notebooks import read_exercise
from minigrad_course.grading.own_lines import difference, oddity, traits, unlikeness, writes
from minigrad_course.grading.sheet import likely
from minigrad_course.grading.wrong_table import without_markers

SOURCES = sorted((Path(__file__).parents[1] / "sources" / "exercises").glob("*/exercise.py"))


@pytest.mark.parametrize(
    ("body", "outcome", "sentence"),
    [
        ("for n in x:\n        n.grad == y", "", "`n.grad == y` compares, and nothing is set"),
        ("np.add(x, y)\n    return x", "", "Nothing takes what `np.add(x, y)` gives"),
        ("x + y\n    return x", "", "Nothing takes what `x + y` gives"),
        ("for g in x:\n        g = 0.0 * y", "", "No line reads the `g` that `g = 0.0 * y` sets"),
        ("w = x\n    w = w - y", "", "No line reads the `w` that `w = w - y` sets"),
        ("for k in x:\n        return k * y", "", "`return` stands inside of `for k in x`"),
        ("return x", "", "No line of your `f` looks at `y`"),
        ("if x:\n        return y", "f(0): expected 3, got None", "Your `f` ends without a `return`"),
        ("if x:\n        return y", "f(0): expected 3, got 2", ""),
        ("y = x + y\n    return y", "y, entry 0: expected 3, got 2", "`y = x + y` gives the name to something else"),
        ("y = x + y\n    return y", "f(y): expected 3, got 2", ""),
        ("np.add(x, y, out=x)\n    x.sort()\n    y += 1\n    [print(k) for k in x]", "", ""),
        ("n = 0\n    for k in x:\n        n += k\n    return n * y", "", ""),
        ("def g():\n        return x * y\n    return g", "", ""),
        ("raise NotImplementedError", "", ""),
        ("return (", "", ""),
    ],
)
def test_a_line_that_does_nothing_is_quoted(body, outcome, sentence):
    quoted = oddity(f"def f(x, y):\n    {body}", outcome)
    assert quoted.startswith(sentence) if sentence else quoted == ""


def test_a_default_that_is_shared_is_quoted():
    assert oddity("def f(x, seen=set()):\n    return x in seen").startswith("The default `set()` of `f` is made once")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.parent.name)
def test_in_right_answers_no_line_is_odd(path):
    answers = [cell["source"] for cell in read_exercise(path)["cells"] if kind(cell) == "solution"]
    unusual = [source for exercise, _, source in RIGHT.values() if exercise == path.parent.name]
    assert [oddity(without_markers(source)) for source in answers + unusual] == [""] * len(answers + unusual)
    assert all(grade_id(cell) for cell in read_exercise(path)["cells"] if kind(cell) == "solution")


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("x *= 2\n    return x", "x *= 2"),
        ("z = np.asarray(x)\n    z += y", "z += y"),
        ("for g in x:\n        g *= y", "g *= y"),
        ("x[y] = 0", "x[y] = 0"),
        ("np.add(x, y, out=x)", "np.add(x, y, out=x)"),
        ("x.reverse()", "x.reverse()"),
        ("x = x.copy()\n    x *= 2", ""),
        ("z = x + y\n    z += 1\n    return z", ""),
        ("return (", ""),
    ],
)
def test_a_line_that_writes_is_quoted(body, line):
    assert writes(f"def f(x, y):\n    {body}") == (f"Is it `{line}`?" if line else "")


RIGHT_ONE = "def f(a, n):\n    return n * a.value ** (n - 1) * a.tangent"


def test_a_cause_is_named_that_the_answer_has():
    """Of several that end alike, the one whose text is nearest; without a text, all."""
    wrong = {
        "floor": RIGHT_ONE.replace("n * a", "n // a"),
        "default": RIGHT_ONE.replace("n)", "n, seen=[])"),
        "factor": "def f(a, n):\n    return n * a.value ** (n - 1)",
    }
    causes = {what: " ".join(difference(source, RIGHT_ONE)) for what, source in wrong.items()}
    for what, source in wrong.items():
        renamed = source.replace("n * a.value", "factor * a.value").replace("n)", "n)", 1)
        assert likely(causes, renamed) == [what]
        assert unlikeness(source, causes[what].split()) == 0.0
        assert unlikeness(RIGHT_ONE, causes[what].split()) == 1.0
    assert likely(causes, "") == [*causes]
    assert likely({}, RIGHT_ONE) == []
    assert likely({"alone": "+00000"}, RIGHT_ONE) == ["alone"], "what comes out says so"


def test_names_of_its_own_make_no_difference():
    assert traits(RIGHT_ONE) == traits(ast.unparse(ast.parse(RIGHT_ONE.replace("return", "b = 3\n    return")))) - {
        "Name = 3", "Assign 3; Return Mult", "in FunctionDef: Name =", "Name =; Return Mult",
    }  # fmt: skip
    assert traits("def f(") == set()
    assert difference(RIGHT_ONE, RIGHT_ONE) == []
