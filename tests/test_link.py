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


def square(x):
    return x * x


def bent(x, w):
    ü = tanh(w * x)
    return mg.sum(ü), np.mean(w)


def behind(x, *, n: int = 2):
    # a comment
    return x**n


def uncounted(x, n=2):
    return x**n


def halved(x):
    return half * x


def by_table(x):
    return mg.sum(table * x)


# A function, its arguments and options, and the mode.
CALLS = [
    (square, (3.0,), {}, "reverse"),
    (bent, (2.0, np.array([[0.5, -1.0]])), {}, "reverse"),
    (bent, (2, np.array([1.0, -0.5])), {}, "forward"),
    (behind, (2.0,), {}, "reverse"),
    (behind, (2.0,), {"n": 3}, "forward"),
]

UNLINKED = {
    "an array from outside": (by_table, (1.0,), {}),
    "a number from outside": (halved, (1.0,), {}),
    "a whole number that is not annotated": (uncounted, (1.0,), {"n": 3}),
    "a lambda": (lambda x: x * x, (2.0,), {}),
    "65 entries": (square, (np.ones(65),), {}),
    "float32": (square, (np.ones(2, np.float32),), {}),
    "a tree": (square, ((2.0, 3.0),), {}),
    "not a number": (square, (math.nan,), {}),
    "made by exec": (type(square)(square.__code__.replace(co_filename="<nowhere>"), {}), (2.0,), {}),
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
    assert f"def {function.__name__}(" in here.link["code"]
    request = {"source": here.link["code"], "inputs": here.link["inputs"], "mode": here.link["mode"]}
    replied = answer(json.loads(json.dumps(request)))
    assert not replied.get("error")
    assert not replied["notice"]
    (theirs, story), (ours, own) = shown(replied["story"]), shown(here.story)
    assert ours == theirs
    assert story["title"].startswith(own["title"].rstrip(")"))  # there a number by default is named as well
    assert {**story, "title": None} == {**own, "title": None}


@pytest.mark.parametrize("case", UNLINKED)
def test_what_the_playground_cannot_show_has_no_link(case, with_site):
    function, args, options = UNLINKED[case]
    assert link.link(function, args, options, "reverse") == {}


def test_a_typed_function_is_linked(with_site):
    typed = Typed("def f(x, n: int = 2):\n    return mg.sin(x)**n", "<a cell>")
    linked = typed.explore({"x": 2.0})[0].link
    assert linked["inputs"] == {"x": 2.0, "n": 2}
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
