"""The playground: functions typed by keys, links, mistakes, and what a long run does to the page."""

import json
import sys
from urllib.parse import urlencode

import numpy as np
import pytest

import minigrad as mg
from minigrad_course.viz.explore import link

from .test_tab import ROOT, Server, tab_site

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
sys.path.insert(0, str(ROOT / "tab" / "playground"))
from gallery import EXAMPLES  # noqa: E402

__all__ = ["tab_site"]  # a fixture

pytestmark = [pytest.mark.thorough, pytest.mark.slow]


class Visitor:
    """One browser profile on the playground's page."""

    def __init__(self, browser, server, **options):
        self.server, self.outside, self.wrong = server, [], []
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._note)

    def _note(self, request):
        if not request.url.startswith((self.server.url, "data:", "blob:")):
            self.outside.append(request.url)

    def open(self, address="", python=True):
        self.page.goto(f"{self.server.url}/tab/playground/index.html{address}")
        self.page.wait_for_selector("[data-alive]", timeout=60_000)
        if python:
            self.page.wait_for_selector("#python.ready", timeout=120_000)

    def type(self, text):
        """Replace the function, by keys alone, and wait for the answer."""
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press("Control+a")
        for number, line in enumerate(text.rstrip("\n").split("\n")):
            if number:
                self.page.keyboard.press("Enter")
                self.page.keyboard.press("Shift+Home")  # what the editor has indented
                if line:
                    self.page.keyboard.press("Delete")
            self.page.keyboard.insert_text(line)
        self.page.wait_for_selector('#views[aria-busy="false"]', timeout=30_000)

    @property
    def error(self):
        return self.page.locator("#error").text_content()

    @property
    def title(self):
        return self.page.locator(".mgx-title").text_content()

    @property
    def jacobian(self):
        return self.page.locator(".mgx-jacobian td:not(.mgx-corner)").all_text_contents()

    def findings(self):
        """All that axe finds, of any impact: the rule, and its first place."""
        answer = axe.Axe().run(self.page).response
        assert answer["passes"], "it has looked at something"
        return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in answer["violations"]]


@pytest.fixture
def server(tab_site):
    server = Server(tab_site)
    yield server
    server.http.shutdown()


@pytest.fixture
def visit(browser, server):
    visitors = []

    def new(**options):
        visitors.append(Visitor(browser, server, **options))
        return visitors[-1]

    yield new
    for visitor in visitors:
        visitor.context.close()
        assert visitor.outside == [], "the playground asked for something outside of this computer"
        assert visitor.wrong == []


def test_functions_are_typed_by_keys(visit, server):
    visitor = visit()
    visitor.open()
    first = visitor.title
    took, links = [], []
    for example in EXAMPLES:
        visitor.type(example.source.replace("def ", "def my_"))
        assert visitor.error == ""
        assert visitor.title.startswith("my_")
        assert visitor.page.locator(".mgx-source .mgx-line").count() >= len(example.source.strip().split("\n"))
        took.append(int(visitor.page.evaluate("document.body.dataset.took")))
        links.append((visitor.page.url, visitor.title, visitor.jacobian))
    print(f"\n{len(took)} functions, milliseconds from the pause to the picture: {sorted(took)}")
    assert first.startswith("f(")
    for address, title, jacobian in links[::5]:
        other = visit()
        other.open(address.partition("index.html")[2])
        other.page.wait_for_selector(".mgx-title", timeout=30_000)
        assert (other.title, other.jacobian) == (title, jacobian)


def test_a_mistake_is_a_sentence_at_its_line(visit):
    visitor = visit()
    visitor.open()
    visitor.type("def f(x):\n    y = x * x\n    return z")
    assert visitor.error == "Line 3: NameError: name 'z' is not defined"
    assert visitor.page.locator(".cm-lintRange-error").text_content() == "return z"
    assert visitor.page.locator("#views.stale .mgx").count() == 1
    visitor.type("def f(x):\n    y = x * x\n    return y")
    assert visitor.error == ""
    assert visitor.jacobian == ["2"]


def test_what_never_ends_is_stopped(visit):
    visitor = visit()
    visitor.open()
    visitor.type("def f(x):\n    while True:\n        pass")
    assert "without an end" in visitor.error
    visitor.type("def f(x):\n    return f(x)")
    assert "deep" in visitor.error or "without end" in visitor.error
    visitor.page.wait_for_selector("#python.ready", timeout=60_000)
    visitor.type("def f(x=3.0):\n    return x * x")
    assert visitor.jacobian == ["6"]


def test_inputs_mode_and_step_are_in_the_address(visit):
    visitor = visit()
    visitor.open(
        "#" + urlencode({"code": "def f(x=3.0, w=[1, 2]):\n    return x * mg.sum(w)", "in": json.dumps({"x": 2})})
    )
    visitor.page.wait_for_selector(".mgx")
    assert visitor.jacobian == ["3", "[2, 2]"]
    visitor.page.locator("#input-w").fill("[5, 5]")
    visitor.page.wait_for_function(
        "() => document.querySelector('.mgx-jacobian td:not(.mgx-corner)').textContent === '10'"
    )
    visitor.page.locator("#input-x").fill("4")
    visitor.page.get_by_label("forward").check()
    visitor.page.wait_for_selector(".mgx-mode-forward")
    visitor.page.get_by_role("button", name="To the start").click()
    visitor.page.get_by_role("button", name="One step on").click()
    visitor.page.wait_for_function("() => location.hash.includes('step=1')")
    again = visit()
    again.open(visitor.page.url.partition("index.html")[2])
    again.page.wait_for_selector(".mgx-mode-forward")
    assert again.page.locator(".mgx-counter").text_content().startswith("1 /")
    assert again.page.locator("#input-x").input_value() == "4"
    assert again.page.locator("#input-w").input_value() == "[5,5]"


def steep(x, w, n: int = 2):
    for _ in range(n):
        x = mg.sum(w) * x
    return x


def test_a_link_that_a_notebook_makes_is_restored(visit, server, monkeypatch):
    monkeypatch.setenv(link.SITE, f"{server.url}/")
    call = mg.explore(steep, 2.0, np.array([1.0, 0.5]), n=3).link
    visitor = visit()
    visitor.open()
    ends = "async call => (await import('./explore.js')).default.address(call)"
    for step in (4, 0):
        address = visitor.page.evaluate(ends, {**call, "step": step})
        again = visit()
        again.page.goto(call["page"])  # the page exists
        again.open(address)
        again.page.wait_for_selector(".mgx", timeout=30_000)
        assert again.page.url == call["page"] + address, "the page's own link is the same, letter by letter"
        assert again.title == "steep(x=2, w, n=3)"
        assert again.page.locator(".mgx-counter").text_content().startswith(f"{step} /")
        assert [again.page.locator(f"#input-{name}").input_value() for name in "xwn"] == ["2", "[1,0.5]", "3"]


FORGED = """
import minigrad_course.viz.explore.widget as widget
right = widget.story

def forged(*arguments):
    made = right(*arguments)
    made["title"] = made["nodes"][0]["html"] = "<img src='data:,' onerror='document.body.dataset.taken = 1'>"
    return made

widget.story = forged

def f(x=2.0):
    return x * x
"""


@pytest.mark.parametrize("policy", [True, False])
def test_a_link_runs_no_script_in_the_page(visit, policy):
    """Without the page's policy it would."""
    visitor = visit(bypass_csp=not policy)
    visitor.open("#" + urlencode({"code": FORGED, "step": 0}))
    visitor.page.wait_for_selector(".mgx img[onerror]", state="attached")
    visitor.page.wait_for_timeout(500)
    assert visitor.page.evaluate("document.body.dataset.taken ?? ''") == ("" if policy else "1")


def test_before_python_is_there_the_examples_are(visit):
    visitor = visit()
    visitor.page.route("**/*.bin", lambda route: route.abort())  # Python never comes
    visitor.open(python=False)
    for example in EXAMPLES:
        visitor.page.locator("#examples").select_option(example.name)
        visitor.page.wait_for_function("name => location.hash.includes(name)", arg=f"example={example.name}")
        assert visitor.page.locator("#question").text_content() == example.question
        assert visitor.page.locator(".mgx").count() == 1
    visitor.page.get_by_role("button", name="Program").click()
    visitor.page.get_by_role("button", name="as compiled").click()
    assert "def program" in visitor.page.locator(".mgx-program").text_content()


def test_a_link_shows_its_curve_before_python(visit):
    visitor = visit()
    visitor.page.route("**/*.bin", lambda route: route.abort())  # Python never comes
    visitor.open("#" + urlencode({"code": "x^2 + sin(3x)", "in": json.dumps({"x": 1})}), python=False)
    rate = visitor.page.locator(".rate")
    assert rate.text_content().startswith("Raise x by 0.01, and f falls by about 0.0097.")
    assert visitor.jacobian == ["−0.97"]
    visitor.page.get_by_role("slider", name="x, on the curve").focus()
    visitor.page.keyboard.press("End")
    assert visitor.page.locator("#input-x").input_value() == "3"
    assert rate.text_content().startswith("Raise x by 0.01, and f grows by about 0.0327.")
    assert visitor.jacobian == ["3.267"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 900, 1440])
def test_axe_finds_nothing_and_nothing_is_cut(visit, width, scheme):
    visitor = visit(viewport={"width": width, "height": 900}, color_scheme=scheme)
    visitor.open()
    assert visitor.findings() == []
    visitor.type("def f(x):\n    return y")
    assert visitor.findings() == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
    visitor.page.screenshot(path=str(ROOT / ".browser" / f"playground-{width}-{scheme}.png"))
