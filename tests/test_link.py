"""A link to the playground holds a text that shows the same call there; and some calls have no link."""

import json
import math
from functools import partial

import numpy as np
import pytest

import minigrad as mg
from minigrad import tanh
from minigrad_course.viz.explore import explore, link
from minigrad_course.viz.explore.typed import Typed, answer

SITE = "https://example.org/course/"
half = 0.5
table = np.array([1.0, 2.0])
strange = pytest.param


def square(x):
    return half * x * x


def loop(x, n=3):
    """Use a number, a function, and a module from outside."""
    for _ in range(n):
        x = square(x) + math.pi
    return x


def bent(x, w):
    ü = tanh(w * x)
    return mg.sum(ü), np.mean(w)


def by_table(x):
    return mg.sum(table * x)


def itself(x, n=2):
    return x if n == 0 else x * itself(x, n - 1)


def inner(power=2):
    def inside(
        x,
        y=5.0,
    ):
        # a comment
        return y * x**power

    return inside


def decorated(function):
    return function


@decorated
def behind(x, *, n: int = 2):
    return x**n


# A function, its arguments and options, and the mode.
CALLS = [
    (loop, (3.0,), {}, "reverse"),
    (loop, (3.0,), {"n": 2}, "reverse"),
    (bent, (2.0, np.array([[0.5, -1.0]])), {}, "reverse"),
    (bent, (2, np.array([1.0, -0.5])), {}, "forward"),
    (itself, (1.5,), {"n": 3}, "reverse"),
    (inner(3), (2.0, 1.0), {}, "forward"),
    (behind, (2.0,), {}, "reverse"),
    (lambda x, y: 2 * x + x * y**3 + mg.sin(x), (3.0, 5.0), {}, "reverse"),
    (lambda x, n: (
        x
        ** n), (3.0,), {"n": 2}, "reverse"),
    (lambda x=1.0: mg.exp(
        x) * half, (3.0,), {}, "reverse"),
]  # fmt: skip

UNLINKED = {
    "an array from outside": (by_table, (1.0,), {}),
    "a closure over an array": ((lambda a: lambda x: mg.sum(a * x))(table), (1.0,), {}),
    "more entries than are typed": (mg.sum, (np.ones(3),), {}),
    "65 entries": (lambda x: mg.sum(x), (np.ones(65),), {}),
    "float32": (lambda x: mg.sum(x), (np.ones(2, np.float32),), {}),
    "a tree": (lambda x: x[0] * x[1], ((2.0, 3.0),), {}),
    "an option that is no number": (lambda x, kind: x * x, (2.0,), {"kind": "a"}),
    "a float that stays": (lambda x, y: x * y, (2.0,), {"y": 3.0}),
    "inputs without names": (lambda *xs: xs[0] * xs[1], (2.0, 3.0), {}),
    "an array where the text has a number": (lambda x=1.0: mg.sum(x), (np.ones(2),), {}),
    "not a number": (lambda x: x * x, (math.nan,), {}),
    "the sign of zero": (lambda x: x * x, (-0.0,), {}),
    "another package": (lambda x: strange and x * x, (2.0,), {}),
    "made by exec": (eval("lambda x: x * x"), (2.0,), {}),
    "not a function": (partial(pow, 2.0), (2.0,), {}),
}


@pytest.fixture
def with_site(monkeypatch):
    monkeypatch.setenv(link.SITE, SITE)


def shown(story):
    """A story without the numbers of its lines, which are those of the file."""
    first = story["source"][0][0]
    lines = [text for number, text in story["source"]]
    nodes = [{**node, "line": node["line"] and node["line"] - first} for node in story["nodes"]]
    return lines, {**story, "source": None, "nodes": nodes}


@pytest.mark.parametrize(("function", "args", "options", "mode"), CALLS)
def test_a_linked_call_is_alike_in_the_playground(function, args, options, mode, with_site):
    here = explore(function, *args, mode=mode, **options)
    page, *_ = (here.link[key] for key in ("page", "code", "inputs", "mode"))
    assert page == SITE + "tab/playground/index.html"
    assert function.__name__ == "<lambda>" or f"def {function.__name__}(" in here.link["code"]
    request = {"source": here.link["code"], "inputs": here.link["inputs"], "mode": here.link["mode"]}
    replied = answer(json.loads(json.dumps(request)))
    assert not replied.get("error")
    assert not replied["notice"]
    (theirs, story), (ours, own) = shown(replied["story"]), shown(here.story)
    if function.__name__ == "<lambda>":
        for each in (story, own):
            each["nodes"] = [{**node, "line": None} for node in each["nodes"]]
    else:
        assert [line for line in ours if "def" not in line] == [line for line in theirs if "def" not in line]
    assert story["title"].startswith(own["title"].rstrip(")"))  # there a number by default is named as well
    assert {**story, "title": None} == {**own, "title": None}


@pytest.mark.parametrize("case", UNLINKED)
def test_what_the_playground_cannot_show_has_no_link(case, with_site):
    function, args, options = UNLINKED[case]
    assert link.link(function, args, options, "reverse") == {}


def test_a_typed_function_is_linked(with_site):
    names = {"mg": mg, "three": 3.0}
    typed = Typed("def g(x):\n    return x * x\n\ndef f(x, n: int = 2):\n    return three * g(x)**n", names, "<a cell>")
    linked = typed.explore({"x": 2.0})[0].link
    assert linked["inputs"] == {"x": 2.0, "n": 2}
    assert linked["code"].startswith("three = 3.0\n\ndef g(x):")
    assert "def f(x, n: int = 2):" in linked["code"]
    assert answer({"source": linked["code"], "inputs": linked["inputs"]})["story"]["title"] == "f(x=2, n=2)"


@pytest.mark.parametrize(
    ("environment", "urls", "site"),
    [
        (SITE, ["Documentation, https://other.org"], SITE.rstrip("/")),
        ("", ["Source, https://code.org", "Documentation, https://other.org/docs/"], "https://other.org/docs"),
        ("", ["Source, https://code.org"], ""),
        ("", None, ""),
        ("javascript:alert(1)", None, ""),
    ],
)
def test_the_site_is_the_environments_or_the_packages(environment, urls, site, monkeypatch):
    monkeypatch.setenv(link.SITE, environment)
    about = type("About", (), {"get_all": lambda self, name: urls})
    monkeypatch.setattr(link.metadata, "metadata", lambda name: about())
    assert link.site() == site
    assert bool(explore(square, 2.0).link) == bool(site)
