"""axe-core finds nothing in what we draw in a notebook and on pages of results. (A Python package brings it.)"""

import pytest
from built_site import ROOT

from minigrad_class.feedback_pages import feedback
from minigrad_class.marks import Mark
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.points_table import Report, as_html
from minigrad_course.project import engine_page
from minigrad_course.project.milestones import TESTS
from minigrad_course.project.verdict import Verdict

expect = pytest.importorskip("playwright.sync_api").expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright")

GRAPH = """import numpy as np, minigrad as mg
w, u, h = mg.Variable(1.0, name="w"), mg.Variable(0.9, name="u"), 0.0
for t in (1, 2, 3):
    with mg.block("step", t):
        h = mg.tanh(w * mg.Constant(0.1 * t, name=f"x{t}") + u * h)
mg.draw(h, direction="LR")"""
EXPLORE = "mg.explore(lambda x, y: 2 * x + x * y**3 + mg.sin(x), 3.0, 5.0)"
PAD = """from minigrad_course.project.digit_pad import DigitPad
DigitPad([np.ones((784, 2)), np.zeros(2), np.ones((2, 10)), np.zeros(10)], np.eye(2, 784), [0, 1])"""


def findings(page, within=None):
    """List what axe finds, of any impact: the rule, and its first place."""
    answer = axe.Axe().run(page, context=within).response
    assert answer["passes"], "it has looked at something"
    return [
        (rule["id"], rule["nodes"][0]["html"][:200], rule["nodes"][0].get("failureSummary", "")[:300])
        for rule in answer["violations"]
    ]


def test_what_we_draw_in_a_notebook(server, lab):
    lab.open(server.write("access.ipynb", GRAPH, EXPLORE, PAD))
    lab.run_all()
    expect(lab.page.locator(".mgx")).to_be_visible()
    lab.page.get_by_role("button", name="To the end").click()
    for theme in ("light", "dark"):
        lab.theme(theme)
        for part in (".minigrad-picture", ".mgx", ".mg-digits"):
            assert findings(lab.page, {"include": [[part]]}) == []


ROWS = [
    Row("test_double", 2.0, 2.0),
    Row("test_half", 0.0, 1.0, "half(3): expected 1.5, got 6.0", "You double. What undoes it?"),
    Row("test_essay", None, 3.0),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 420])
def test_pages_of_results(page, theme, width):
    """A page of feedback, and the table of points that a notebook shows."""
    mark = Mark("ann", ROWS, "graded", 6.0, name="Ann Wu", time="2027-01-05T10:00", late="2 hours")
    mark.notes = ["a cell was left out"]
    mark.answers = {"double": "def double(x):\n    return 2 * x  # " + "a long line " * 20, "half": "..."}
    points = f"<!doctype html><html lang=en><title>Points</title><main><h1>Points</h1>{as_html(Report('05', ROWS))}"
    style = "<style>:root { color-scheme: light dark }</style>"
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    for html in (feedback("Doubling", mark), points + style):
        page.set_content(html)
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_page_of_an_engine(page, tmp_path, monkeypatch):
    """All milestones done, and a training; what is on it test_project.py asks."""
    monkeypatch.setattr(engine_page, "train", lambda source: (91.0, [2.0, 1.0, 0.5], 0.03))
    monkeypatch.setattr(
        engine_page, "judge", lambda source: Verdict("project", [Row(t.title, 1.0, 1.0) for t in TESTS])
    )
    target = engine_page.write(ROOT / "solutions" / "project" / "mine.py", tmp_path / "page.html")
    page.goto(target.as_uri())
    assert findings(page) == []
