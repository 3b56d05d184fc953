"""The page's own tracer tells of functions of numbers what Python tells, and leaves all others to Python."""

import json
import re
import sys

import numpy as np
import pytest

from minigrad_course.viz.explore.typed import answer

from .conftest import ROOT

sys.path.insert(0, str(ROOT / "tab" / "playground"))
from gallery import EXAMPLES
from playground_page import derivative_rows

SCRIPT = (ROOT / "tab" / "playground" / "tracer.js").read_text(encoding="utf-8").replace("export ", "")
ROWS = json.loads(derivative_rows())
MORE = [
    f"def f(x=0.4, y=1.3):\n    a = {call}\n    return a * y + x"
    for call in (
        "mg.tan(x)", "mg.sqrt(x) / y", "mg.log(x)", "mg.exp(-x)", "x**y", "x**3", "-x", "mg.softplus(x)", "mg.relu(x)",
        "mg.arctan2(x, y)", "mg.hypot(x, y)", "mg.maximum(x, y)", "abs(x)", "2**x", "x % 0.3", "mg.sigmoid(x) - 1",
    )
]  # fmt: skip
OTHERS = [
    "def f(x=[1.0, 2.0]):\n    return x[0]", "def f(x):\n    while x < 3:\n        x = x * x\n    return x",
    "def f(x):\n    return y", "def f(x):\n    return 3", "def f(x):\n    return [a for a in x]",
    "import numpy", "def f(x:",
    "def f(x, n: int = 500):\n    for _ in range(n):\n        x = x + 1\n    return x",
    "def f(x):\n    return mg.gelu(x)", "def f(x):\n    return x('a')",
]  # fmt: skip


def events_apart(ours, theirs):
    """Return pairs of events that differ, but for the formula's numbers and the last digit of others."""
    assert len(ours) == len(theirs)
    texts = [[json.dumps([*event[:4], *event[5:]]) for event in events] for events in (ours, theirs)]
    number = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
    return [
        (a, b)
        for a, b in zip(*texts, strict=True)
        if number.sub("#", a) != number.sub("#", b)
        or not np.allclose(*([float(x) for x in number.findall(text)] for text in (a, b)), rtol=2e-3)
    ]


@pytest.fixture
def traced(page):
    page.set_content("<p></p>")
    page.add_script_tag(content=f"{SCRIPT}\nwindow.traced = traced")

    def traced(source, inputs=None):
        return page.evaluate("([s, i, t]) => traced(s, i, t)", [source, inputs or {}, ROWS])

    return traced


def test_it_tells_what_python_tells(traced):
    scalars = [e.source for e in EXAMPLES if "[" not in e.source and e.name != "branch"]
    assert len(scalars) > 10
    for source in scalars + MORE:
        ours, theirs = traced(source), answer({"source": source})
        assert ours is not None, source
        assert ours["parameters"] == theirs["parameters"]
        ours, theirs = ours["story"], theirs["story"]
        for key in ("title", "source", "inputs", "outputs", "forward"):
            assert ours[key] == theirs[key], source
        for a, b in zip(ours["nodes"], theirs["nodes"], strict=True):
            assert [a[key] for key in ("name", "value", "line", "inputs")] == [
                b[key] for key in ("name", "value", "line", "inputs")
            ], source
        for rules, walk in theirs["walks"].items():
            events = ours["walks"][rules]["events"]
            assert events_apart(events, walk["events"]) == [], (source, rules)


@pytest.mark.parametrize("source", OTHERS)
def test_what_it_cannot_read_is_left_to_python(traced, source):
    assert traced(source) is None


@pytest.mark.parametrize(
    ("typed", "slope"),
    [("x^2 + sin(x)", 2 + 0.5403), ("f(x) = x^2 + 3x", 5), ("2x", 2), ("y = 3(x + 1)", 3), ("x*exp(-x)", 0)],
)
def test_a_bare_expression_is_a_function(traced, typed, slope):
    assert traced(typed)["gradient"]["x"] == pytest.approx(slope, abs=1e-4)
    assert answer({"source": typed})["story"]["walks"]["111"]["events"][-1][5] == [f"{slope:.4g}"]
