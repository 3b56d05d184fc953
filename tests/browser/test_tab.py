"""The course in a browser tab: from a plain server of files, and nothing else to be reached."""

import functools
import http.server
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FETCHED = ROOT / "build" / "tab" / "wheels.txt"
MOST = 45e6  # bytes over the wire for lesson 02

pytestmark = [pytest.mark.thorough, pytest.mark.slow]


class Server:
    """Serves a folder on loopback. sent: its bytes. broken: parts of names; the next such file arrives cut off."""

    def __init__(self, folder):
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def copyfile(self, source, out):
                data = source.read()
                if server.broken is not None and server.broken in self.path:
                    server.broken, data = None, data[: len(data) // 2] + bytes(len(data) - len(data) // 2)
                server.sent += len(data)
                out.write(data)

            def log_message(self, *_):
                pass

        self.sent, self.broken = 0, None
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


@pytest.fixture(scope="session")
def tab_site(tmp_path_factory):
    if not FETCHED.exists():
        pytest.skip("the tab's packages were not fetched: make docs does it")
    folder = tmp_path_factory.mktemp("tab")
    command = [sys.executable, ROOT / "tools" / "tab.py", "--output", folder / "tab"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


class Tab:
    """A visitor: one browser profile, with pages on the tab's site."""

    def __init__(self, browser, server):
        self.server, self.outside = server, []
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.context.on("request", self._note)
        self.page = self.context.new_page()

    def _note(self, request):
        if not request.url.startswith((self.server.url, "data:", "blob:", "about:")):
            self.outside.append(request.url)

    def open(self, path):
        self.page.goto(f"{self.server.url}/tab/lab/index.html?path={path}")
        self.page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=60_000)
        self.page.get_by_text("| Idle").wait_for(timeout=120_000)

    def menu(self, *path):
        for entry in path:
            self.page.get_by_role("menuitem", name=entry, exact=True).click()

    def command(self, name):
        self.page.evaluate("name => void jupyterapp.commands.execute(name)", name)

    def results(self):
        """The outputs of all cells of code, as the notebook holds them."""
        cells = self.page.evaluate(
            "Array.from(jupyterapp.shell.currentWidget.content.model.cells).map(cell => cell.toJSON())"
        )
        return [cell for cell in cells if cell["cell_type"] == "code"]

    def run_all(self, seconds):
        self.menu("Run", "Run All Cells")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(1)
            cells = self.results()
            if all(cell["execution_count"] for cell in cells if "".join(cell["source"]).strip()):
                self.page.get_by_text("| Idle").wait_for(timeout=60_000)
                return self.results()
        raise AssertionError(f"not all cells ran: {[cell['execution_count'] for cell in self.results()]}")

    def run(self, code, seconds=60):
        """Run a new cell at the end of the notebook, and return its outputs."""
        self.start(code)
        self.page.wait_for_function(
            "() => { const cells = jupyterapp.shell.currentWidget.content.model.cells;"
            " return cells.get(cells.length - 1).executionCount }", timeout=1000 * seconds,
        )  # fmt: skip
        self.page.get_by_text("| Idle").wait_for(timeout=60_000)
        return self.results()[-1]["outputs"]

    def start(self, code):
        self.page.evaluate(
            """async code => {
                const notebook = jupyterapp.shell.currentWidget.content
                const model = notebook.model
                model.sharedModel.insertCell(model.cells.length, { cell_type: "code", source: code })
                notebook.activeCellIndex = model.cells.length - 1
                notebook.deselectAll()
                void jupyterapp.commands.execute("notebook:run-cell")
            }""",
            code,
        )


@pytest.fixture
def tab(browser, tab_site):
    visitor = Tab(browser, Server(tab_site))
    yield visitor
    visitor.context.close()
    visitor.server.http.shutdown()
    assert visitor.outside == [], "the tab asked for something outside of this computer"


def text_of(outputs):
    pieces = [o.get("text") or o.get("data", {}).get("text/plain", "") or o.get("evalue", "") for o in outputs]
    return "".join("".join(piece) for piece in pieces)


def errors(cells):
    """The errors of cells that should have none."""
    wrong = []
    for cell in cells:
        if "raises-exception" not in cell["metadata"].get("tags", []):
            wrong += [o["evalue"] for o in cell["outputs"] if o["output_type"] == "error"]
    return wrong


GRADIENT = """
import minigrad as mg
x = mg.Variable(3.0, name="x")
(x * x + mg.sin(x)).backward()
x.grad
"""


def test_lesson_02_runs_and_is_small(tab):
    tab.open("notebooks/02_dual_numbers.ipynb")
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    cells = tab.run_all(120)
    assert errors(cells) == []
    assert tab.server.sent <= MOST
    sent = tab.server.sent
    tab.page.reload()
    tab.page.get_by_text("| Idle").wait_for(timeout=120_000)
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    assert tab.server.sent - sent < 15e6  # the interpreter comes from the cache


def test_a_graph_is_drawn_and_an_error_is_a_sentence(tab):
    tab.open("notebooks/05_computational_graph.ipynb")
    tab.run(GRADIENT)
    [shown] = [o for o in tab.run("mg.draw(mg.sin(x) * x)") if "data" in o]
    assert "image/svg" in json.dumps(shown["data"])
    [error] = tab.run("mg.Variable(1.0) + 'a'")
    assert error["output_type"] == "error"
    assert "interactiveshell" not in "".join(error["traceback"])
    assert "write the value into the cell" in text_of(tab.run("input('?')"))


def test_a_running_cell_is_stopped_and_names_stay(tab):
    tab.open("notebooks/02_dual_numbers.ipynb")
    tab.run("kept = 7")
    tab.start("while True:\n    pass")
    time.sleep(2)
    tab.command("kernelmenu:interrupt")
    tab.page.get_by_text("| Idle").wait_for(timeout=30_000)
    assert tab.results()[-1]["outputs"][-1]["ename"] == "KeyboardInterrupt"
    assert text_of(tab.run("kept")) == "7"


def test_a_file_outlives_the_kernel(tab):
    tab.open("notebooks/02_dual_numbers.ipynb")
    tab.run("open('own.txt', 'w').write('mine')")
    time.sleep(2)
    tab.command("kernelmenu:restart")
    tab.page.locator(".jp-Dialog .jp-mod-accept").click()
    tab.page.wait_for_timeout(1000)  # it says that it is idle until it begins
    tab.page.get_by_text("| Idle").wait_for(timeout=120_000)
    assert text_of(tab.run("open('own.txt').read()")) == "'mine'"


def test_a_broken_download_is_fetched_again(tab):
    tab.server.broken = ".wasm.bin"
    tab.open("notebooks/02_dual_numbers.ipynb")
    assert text_of(tab.run(GRADIENT)).startswith("5.01")


SHEETS = [
    *(path.relative_to(ROOT) for path in sorted((ROOT / "notebooks").glob("0[0-8]_*.ipynb"))),
    *(path.relative_to(ROOT) for path in sorted((ROOT / "solutions").glob("0[1-8]_*/0*.ipynb"))),
]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem + "-" + path.parts[0])
def test_a_sheet_runs_in_the_tab(tab, sheet):
    """Solutions take the place of the exercise: the cells of the built one are put into it."""
    tab.open(str(sheet).replace("solutions", "exercises", 1))
    if sheet.parts[0] == "solutions":
        book = json.loads((ROOT / sheet).read_text(encoding="utf-8"))
        tab.page.evaluate("book => jupyterapp.shell.currentWidget.content.model.fromJSON(book)", book)
    cells = tab.run_all(200)
    assert errors(cells) == []
    if sheet.parts[0] == "solutions":
        assert "points" in json.dumps([cell["outputs"] for cell in cells])
