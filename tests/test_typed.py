"""A function as text: run and explored, or refused in one sentence at its line."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.viz.explore.typed import Typed, answer, as_function

sys.path.insert(0, str(Path(__file__).parent.parent / "tab" / "playground"))
from gallery import EXAMPLES

# A text, the line of its mistake, and a part of the sentence about it.
MISTAKES = [
    ("", None, "Type one"),
    ("x = 3", None, "Type one"),
    ("class A: pass", None, "Type one"),
    ("\0", None, "null bytes"),
    ("def f(x:\n    return x", 1, "was never closed"),
    ("def f(x):\nreturn x", 2, "indented block"),
    ("def f(x):\n\treturn x\n        return x", 3, "tabs and spaces"),
    ("def f(x):\n    return x +", 2, "Python cannot read this line"),
    ("def f():\n    return 3", 1, "no input"),
    ("def f(n: int = 2):\n    return n", 1, "no input"),
    ("def f(*xs):\n    return xs[0]", 1, "one by one"),
    ("def f(**xs):\n    return xs", 1, "one by one"),
    ("def f(x, *, y=2.0):\n    return x * y", 1, "behind the *"),
    ("def f(n: int, x):\n    return x**n", 1, "come last"),
    ("sinn(x)", 1, "name 'sinn'"),
    ("async def f(x):\n    return x", 1, "plain function"),
    ("def f(x):\n    yield x", 1, "plain function"),
    ("def f(x):\n    return y", 2, "NameError: name 'y'"),
    ("def f(x):\n    return mg.sine(x)", 2, "did you mean 'sin'"),
    ("def f(x):\n    return x.foo", 2, "'foo'"),
    ("import nothing_of_this_name\ndef f(x):\n    return x", 1, "nothing_of_this_name"),
    ("f = 3\nf(4)", 2, "not callable"),
    ("raise SystemExit\ndef f(x):\n    return x", 1, "SystemExit"),
    ("import math\ndef f(x):\n    return math.sin(x)", 3, "mg.sin"),
    ("def f(x):\n    return float(x)", 2, "lose the derivative"),
    ("def f(x):\n    pass", None, "`return` missing"),
    ("def f(x):\n    return 3.0", None, "does not depend"),
    ("def f(x):\n    return x.value", None, "does not depend"),
    ("def f(x):\n    return 'a'", None, "a str"),
    ("def f(x):\n    return x ** 'a'", 2, "the text 'a'"),
    ("def f(x, n):\n    for _ in range(n):\n        x = x * x\n    return x", 2, "n: int = 3"),
    ("def f(x, n: int = 2.5):\n    return x**n", None, "whole number"),
    ("def f(x='a'):\n    return x", None, "needs numbers"),
    ("def f(x='3'):\n    return x", None, "needs numbers"),
    ("def f(x):\n    return x^2", 2, "x**2 and not x^2"),
    ("def f(x):\n    return 2x", 2, "write 2*"),
    ("def f(x):\n    raise EOFError", 2, "an input of the function"),
    ("import torch_of_another\ndef f(x):\n    return x", 1, "NumPy, as np"),
    ("def f(x=float('nan')):\n    return x", None, "needs numbers"),
    ("def f(x=[[1, 2], [3]]):\n    return x", None, "needs numbers"),
    ("def f(x=[]):\n    return x", None, "needs numbers"),
    ("def f(x=[0] * 100):\n    return mg.sum(x)", None, "100 entries"),
    ("def f(x=[1, 2]):\n    return x[5]", 2, "out of bounds"),
    ("def f(x=[1, 2, 3], y=[1, 2]):\n    return x * y", 2, "do not broadcast"),
    ("def f(x=[1, 2]):\n    if x > 1:\n        return x\n    return 2 * x", 2, "one truth value"),
    ("def f(x):\n    x[0] = 3\n    return x", 2, "in place"),
    ("def f(x):\n    assert x > 3, 'too small'\n    return x", 2, "AssertionError: too small"),
    ("def f(x):\n    return f(x)", 2, "without end"),
    ("def f(x=[1, 2]):\n    return mg.scan(lambda h, x: (h * x, h), x, 1.0)[0]", None, "a scan is a whole loop"),
]


@pytest.mark.parametrize(("text", "line", "part"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_one_sentence_at_its_line(text, line, part):
    replied = answer({"source": text})
    sentence = replied["error"]["sentence"]
    assert part in sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert "<typed>" not in sentence
    assert replied["error"]["line"] == line


@pytest.mark.turns
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_the_gallery_runs_and_its_derivatives_are_right(example, mode):
    typed = Typed(example.source)
    explorer, notice = typed.explore(mode=mode)
    assert notice == ""
    assert explorer.story["source"], "the text is shown"
    values = [np.asarray(p["value"], float) for p in typed.parameters if p["moves"]]
    options = {p["name"]: p["value"] for p in typed.parameters if not p["moves"]}
    if example.name != "branch":  # which a graph would decide once; its derivative is asked for below
        mg.check_gradients(partial(typed.function, **options), *values)
    lines = [text for text, _, _ in answer({"source": example.source, "compiled": True})["compiled"]]
    assert any(line.startswith("def program(") for line in lines)


def test_inputs_have_their_defaults_and_take_other_values():
    text = "def f(x, w=[1, 2], n: int = 3):\n    for _ in range(n):\n        x = x * mg.sum(w)\n    return x"
    typed = Typed(text)
    assert typed.parameters == [
        {"name": "x", "value": 1.0, "moves": True, "default": False},
        {"name": "w", "value": [1.0, 2.0], "moves": True, "default": True},
        {"name": "n", "value": 3, "moves": False, "default": True},
    ]
    explorer, _ = typed.explore({"x": 2.0, "w": [1.0, 1.0], "n": 2})
    assert float(explorer.record.outputs[0].value) == 8
    assert answer({"source": text, "inputs": {"x": "a"}})["error"]["sentence"].startswith("x needs numbers")


@pytest.mark.parametrize(("x", "derivative"), [(2.0, "1"), (-2.0, "0.1"), (0.0, "0.1")])
def test_a_branch_is_followed_where_the_input_goes(x, derivative):
    [source] = [e.source for e in EXAMPLES if e.name == "branch"]
    events = answer({"source": source, "inputs": {"x": x}})["story"]["walks"]["111"]["events"]
    assert events[-1][5] == [derivative]


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("x^2 + 3x + sin(x)", "def f(x): return x**2 + 3*x + sin(x)"),
        ("g(t, s) = 2(t + s)", "def g(t, s): return 2*(t + s)"),
        ("y = b * a", "def y(b, a): return b * a"),
        ("1e-3 * x + 2.5x", "def f(x): return 1e-3 * x + 2.5*x"),
        ("x if x > 0 else 2 if x else pi * x", "def f(x): return x if x > 0 else 2 if x else pi * x"),
        ("ln(x) + sinn(x)", "def f(x): return ln(x) + sinn(x)"),
        ("import torch", "import torch"),
        ("x = 3", "x = 3"),
        ("x +", "x +"),
        ("def f(x):\n    return x", "def f(x):\n    return x"),
    ],
)
def test_a_formula_is_a_function_of_its_names(text, function):
    assert as_function(text) == function
