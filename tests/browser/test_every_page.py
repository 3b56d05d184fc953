"""Every page of the site, in a browser: nothing cut, struck through or shown as source, nothing from another place.

And axe has no finding. `make docs` builds the site, with the lessons' outputs, and MINIGRAD_BUILT_SITE names it: what
is published is looked at before (.github/workflows/site.yml).
"""

import functools
import http.server
import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from built_site import ROOT, small_site

import minigrad as mg
from minigrad_course.project.digit_pad import DigitPad

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("furo", reason="`make docs` installs what the site needs")
sys.path.append(str(ROOT / "tools"))

import page_faults  # noqa: E402

LOOK = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")
READY = """() => (window.MathJax?.startup?.promise ?? Promise.resolve())
  .then(() => document.fonts.ready).then(() => true)"""


class Server:
    """A folder, served on loopback."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.url = f"http://127.0.0.1:{self.http.server_port}/"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture
def faults(page):
    """A function of a folder, names of its pages, a width and a theme: what is wrong, by page."""
    servers = []

    def faults(folder, names, width, theme):
        server = Server(folder)
        servers.append(server.http)
        asked, wrong = [], {}
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: asked.append(f"an error: {error}"))
        page.on("response", lambda answer: answer.status < 400 or asked.append(f"{answer.status} for {answer.url}"))
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        for name in names:
            asked.clear()
            page.goto(server.url + name)
            page.wait_for_function(READY)
            end = time.monotonic() + 3
            while (looks := page.evaluate(LOOK)) and time.monotonic() < end:  # the page's script may still be fitting
                time.sleep(0.1)
            page.evaluate("scrollTo(0, 900)")  # and back a little: then the way back to the top is there
            page.evaluate("scrollTo(0, 500)")
            answer = axe.Axe().run(page).response
            assert answer["passes"], "it has looked at something"
            looks += [
                f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:160]}" for rule in answer["violations"]
            ]
            looks += [f"source in place of its result: {source}" for source in page_faults.faults(page.content())]
            looks += [url for url in asked if not url.startswith((server.url, "data:", "blob:"))]
            if looks:
                wrong[name] = looks
        return wrong

    yield faults
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site():
    if not (built := os.environ.get("MINIGRAD_BUILT_SITE")):
        pytest.skip("looks at the site that `make docs` has built: MINIGRAD_BUILT_SITE=build/site")
    return Path(built).resolve()


def names(site):
    """The pages of a site, but for listings of source, and the app in the tab, which has its own tests."""
    pages = [path.relative_to(site) for path in sorted(site.rglob("*.html"))]
    return [page.as_posix() for page in pages if page.parts[0] not in ("_modules", "_static", "tab")]


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (900, "dark"), (320, "light")])
def test_no_page_has_a_fault(site, faults, width, theme):
    pages = names(site)
    assert len(pages) > 60
    wrong = faults(site, pages, width, theme)
    assert wrong == {}, "\n".join(f"{page}: {fault}" for page in wrong for fault in wrong[page])


def notebook(*cells):
    """A notebook that has run: words, and lists of outputs."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append(nbformat.v4.new_markdown_cell(cell))
        else:
            outputs = [nbformat.v4.new_output("display_data", data) for data in cell]
            made.append(nbformat.v4.new_code_cell("show()", outputs=outputs, execution_count=1))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel})


WIDE = r"a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w"
WORDS = rf"""# A page

A formula in a line: ${WIDE}$, and one that has no room at all on a telephone:

$${WIDE} + {WIDE}$$

- **in a list**, $\sigma(a) + a\,\sigma(a)\,(1-\sigma(a)) = \sigma(a) + v\,(1-\sigma(a)) + {WIDE[:60]}$
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A site of two pages: one with a thing of every kind, and one with a fault of every kind."""
    x = mg.Variable(3.0, name="x")
    weights = [np.ones((784, 2)), np.zeros(2), np.ones((2, 10)), np.zeros(10)]
    pad = DigitPad(weights, np.eye(2, 784), [0, 1])
    views = mg.explore(lambda x, y: 2 * x + x * y**3 + mg.sin(x), 3.0, 5.0)
    good = notebook(
        WORDS,
        [{"text/markdown": "| | seconds |\n|---|---|\n| ours | 1.5 |"}, {"text/html": views.page}],
        [{"text/html": pad.html}, {"text/html": mg.draw(x * mg.sin(x))._repr_mimebundle_()[0]["text/html"]}],
    )
    bad = notebook(
        "# Faults\n\n\\| a \\| b \\|\n\\|---\\|---\\|",
        [{"text/plain": "interactive(children=(FloatSlider(value=1.0), Output()))"}],
        '<button style="text-decoration: line-through">Graph</button> <del><a href="#">more</a></del>',
        f'<div style="overflow: hidden"><div style="margin-left: 600px; width: 800px">\n\n${WIDE}$\n\n</div></div>',
        '<div style="width: 3000px">wide</div>',
        '<script>fetch("http://127.0.0.1:9/elsewhere").catch(() => 0)</script>',
        '<img src="missing.png"> <p style="color: #bbb; background: #fff">faint</p>\n\n$$\\nosuchthing{x}$$',
    )
    return small_site(tmp_path_factory.mktemp("small"), {"index": good, "notebooks/faults": bad})


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (420, "dark")])
def test_things_of_every_kind_have_no_fault(small, faults, width, theme):
    assert faults(small, ["index.html", "search.html"], width, theme) == {}


def test_faults_of_every_kind_are_found(small, faults):
    (hits,) = faults(small, ["notebooks/faults.html"], 900, "light").values()
    text = "\n".join(hits)
    for fault in (
        "source in place of its result: Faults¶ | a | b |", "result: interactive(children=", "struck through: <button",
        "struck through: <a", "a formula is cut", "no formula", "scrolls sideways by", "no words for a picture",
        "http://127.0.0.1:9/elsewhere", "404 for", "color-contrast (serious)", "image-alt (critical)",
    ):  # fmt: skip
        assert fault in text, f"{fault} is not found"
