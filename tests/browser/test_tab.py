"""The course in a browser tab: from a plain server of files, and nothing else to be reached."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbclient
import nbformat
import pytest
import wrong_answers
from outputs import difference, plain, shown

from minigrad_course.grading.rehearse import public_tests

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

    @classmethod
    def beside(cls, tab):
        """Another tab of the same visitor."""
        other = cls.__new__(cls)
        other.__dict__.update(tab.__dict__, page=tab.context.new_page())
        return other

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

    def put(self, book):
        """Have the open notebook hold another one's cells."""
        self.page.evaluate("book => jupyterapp.shell.currentWidget.content.model.fromJSON(book)", book)

    def save(self, path, text):
        """Put a file among the learner's."""
        self.page.evaluate(
            """([path, content]) => jupyterapp.serviceManager.contents.save(
                path, { type: "file", format: "text", content })""",
            [path, text],
        )

    def saved(self, path):
        """The content of a file of the learner's, once it is there."""
        return self.page.evaluate(
            """async path => {
                for (;;) {
                    const file = await jupyterapp.serviceManager.contents.get(path, { content: true }).catch(() => null)
                    if (file) return typeof file.content === "string" ? file.content : JSON.stringify(file.content)
                    await new Promise(resolve => setTimeout(resolve, 200))
                }
            }""",
            path,
        )

    def run_all(self, seconds):
        self.menu("Run", "Run All Cells")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(1)
            cells = self.results()
            assert errors(cells) == []
            if all(cell["execution_count"] for cell in cells if "".join(cell["source"]).strip()):
                self.page.get_by_text("| Idle").wait_for(timeout=60_000)
                return self.results()
        raise AssertionError(f"not all cells ran: {[cell['execution_count'] for cell in self.results()]}")

    def add(self, code):
        """Add a cell at the end of the notebook."""
        self.page.evaluate(
            """code => {
                const { model } = jupyterapp.shell.currentWidget.content
                model.sharedModel.insertCell(model.cells.length, { cell_type: "code", source: code })
            }""",
            code,
        )

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
        self.add(code)
        self.page.evaluate(
            """() => {
                const notebook = jupyterapp.shell.currentWidget.content
                notebook.activeCellIndex = notebook.model.cells.length - 1
                notebook.deselectAll()
                void jupyterapp.commands.execute("notebook:run-cell")
            }"""
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
    tab.run_all(120)
    assert tab.server.sent <= MOST
    sent = tab.server.sent
    tab.page.reload()
    tab.page.get_by_text("| Idle").wait_for(timeout=120_000)
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    assert tab.server.sent - sent < 15e6  # the interpreter comes from the cache


def test_a_graph_is_drawn_and_an_error_is_a_sentence(tab):
    tab.open("notebooks/05_computational_graph.ipynb")
    tab.run(GRADIENT)
    [picture] = tab.run("mg.draw(mg.sin(x) * x)")
    assert "polygon" in plain(
        "text/html", picture["data"]["text/html"]
    )  # a box: without Graphviz there are lines of text
    [error] = tab.run("mg.Variable(1.0) + 'a'")
    assert error["output_type"] == "error"
    assert "interactiveshell" not in "".join(error["traceback"])
    assert "write the value into the cell" in text_of(tab.run("input('?')"))


def test_the_doctor_has_nothing_to_mend_and_points_outlive_the_kernel(tab):
    tab.open("exercises/02_dual_numbers/02_dual_numbers.ipynb")
    tab.put(as_handed_out(Path("solutions/02_dual_numbers/02_dual_numbers.ipynb")))
    tab.run_all(120)
    report = text_of(tab.run("from minigrad_course import doctor\ndoctor.run()"))
    assert "All is ready." in report
    assert "fix" not in report
    tab.page.wait_for_timeout(2000)
    tab.open("notebooks/00_start.ipynb")
    points = text_of(tab.run("from minigrad_course import grading\ngrading.overview()"))
    assert "all tests passed" in points or "public checks passed" in points
    assert "Next: exercise 01" in points


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


LESSON = "notebooks/02_dual_numbers.ipynb"
EXERCISE = "exercises/02_dual_numbers/02_dual_numbers.ipynb"
LAST = "() => jupyterapp.shell.currentWidget.content.model.toJSON().cells.at(-1).source"
KEPT = (
    "async path => (await jupyterapp.serviceManager.contents.get(path, { content: true })).content.cells.at(-1).source"
)


def test_a_visit_without_a_network(tab):
    tab.open(LESSON)
    tab.run(GRADIENT)
    tab.page.wait_for_function("async () => await caches.match('/tab/files/notebooks/03_tracing_forwards.ipynb')")
    tab.page.wait_for_function("async () => (await (await caches.open('minigrad-tab')).keys()).length >= 4")
    tab.context.set_offline(True)
    tab.open("notebooks/03_tracing_forwards.ipynb")
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    [error] = tab.run("import sympy")
    assert "Is the network there?" in error["evalue"]


def test_two_tabs_ask_before_one_overwrites_the_other(tab):
    tab.open(LESSON)
    other = Tab.beside(tab)
    other.open(LESSON)
    tab.add("first = 1")
    tab.command("docmanager:save")
    tab.page.wait_for_function(f"async () => (await ({KEPT})('{LESSON}')) === 'first = 1'")
    other.add("second = 2")
    other.command("docmanager:save")
    dialog = other.page.locator(".jp-Dialog")
    dialog.get_by_text("has changed on disk").wait_for()
    assert tab.page.evaluate(KEPT, LESSON) == "first = 1"
    dialog.get_by_role("button", name="Cancel").click()
    assert other.page.evaluate(LAST) == "second = 2"


def test_points_that_two_tabs_earn_are_all_kept(tab):
    note = """
from pathlib import Path
from minigrad_course.grading.outcome import Row
from minigrad_course.grading.progress import Progress
Progress(Path('/course')).note('{0}', [Row('{0}', 1.0, 1.0)], full=False)
"""
    tab.open(EXERCISE)
    other = Tab.beside(tab)
    other.open(EXERCISE)
    tab.run("1")
    other.run("1")  # both know what was kept so far
    tab.start(note.format("ours") + "import time; time.sleep(3)")
    other.run(note.format("theirs"))
    tab.page.wait_for_function(
        """async () => (await jupyterapp.serviceManager.contents.get(".minigrad/progress.jsonl", { content: true }))
            .content.includes('"ours"')"""
    )
    assert '"theirs"' in tab.saved(".minigrad/progress.jsonl")


def test_a_new_version_of_the_site_leaves_the_learners_notebooks(tab, tab_site, tmp_path):
    shutil.copytree(tab_site, tmp_path / "site", copy_function=os.link)
    server = tab.server = Server(tmp_path / "site")
    tab.open(LESSON)
    tab.add("mine = 1")
    tab.command("docmanager:save")
    tab.page.wait_for_function(f"async () => (await ({KEPT})('{LESSON}')) === 'mine = 1'")
    for name in ("02_dual_numbers", "03_tracing_forwards"):
        place = tmp_path / "site" / "tab" / "files" / "notebooks" / f"{name}.ipynb"
        book = nbformat.read(place, as_version=4)
        book.cells.append(nbformat.v4.new_code_cell("new = 2"))
        place.unlink()  # the other site keeps its own
        nbformat.write(book, place)
    tab.open(LESSON)
    assert tab.page.evaluate(LAST) == "mine = 1"
    tab.open("notebooks/03_tracing_forwards.ipynb")
    assert tab.page.evaluate(LAST) == "new = 2"
    server.http.shutdown()


SHEETS = [
    *(path.relative_to(ROOT) for path in sorted((ROOT / "notebooks").glob("0[0-8]_*.ipynb"))),
    *(path.relative_to(ROOT) for path in sorted((ROOT / "solutions").glob("0[1-8]_*/0*.ipynb"))),
]
# Cells that show other numbers in a tab, or a picture of such numbers, by words in them: their words are compared.
OTHER_NUMBERS = [
    # Seconds.
    "swell.append(",
    "= milliseconds(",
    "compared(",
    "compare({",
    "{step.compile_s",
    "began = time.perf_counter()",
    "_, pull_back = mg.vjp(mill",
    "axes.plot(counts, forward",
    "axes.plot(counts, passes",
    "axes.loglog(sizes",
    # The best of many steps, whose errors are those of rounding: each Python has a sine of its own.
    'lines = "| | "',
    "compiled = network(*values)",
    # The products that conjugate gradients take until they are near enough: rounding decides about the last ones.
    "import LinearOperator, cg",
    "stiff = largest_curvature(",
    "def errors(way",
]
# Cells that show other words: what they show is of the same kinds.
OTHER_WORDS = [
    "def calls_of_f(way)",  # which way is the fastest is measured
    "DigitPad([",  # it holds a trained network's weights in base64, which differ in their last bits
    "doctor.show()",  # about this Python
    "%%measure",  # without ctypes no bytes are counted
    "counted = {}",
    "as first_call:",
    "mg.explore(",  # for pages without scripts the graph is there as a PNG, and in a tab as SVG
    "print(writes(",  # a set is in no order
]


def different(cell, ordinary):
    """Say how a cell of the tab differs from the ordinary one in what it should not."""
    source = "".join(cell["source"])
    if any(words in source for words in OTHER_WORDS):
        return difference(*([(kind, "") for kind, _ in shown(c) if kind != "image/png"] for c in (cell, ordinary)))
    return difference(shown(cell), shown(ordinary), not any(words in source for words in OTHER_NUMBERS))


def as_handed_out(sheet):
    """A lesson, or an exercise with right answers in it."""
    book = nbformat.read(ROOT / sheet, as_version=4)
    return public_tests(book) if sheet.parts[0] == "solutions" else book


def run_by_jupyter(book, sheet, course):
    """Run a notebook in the ordinary kernel, in a course that has what the tab has."""
    for folder in [ROOT / "notebooks", *ROOT.glob("exercises/0[1-8]_*")]:
        shutil.copytree(folder, course / folder.relative_to(ROOT), ignore=shutil.ignore_patterns(".*"))
    place = course / str(sheet.parent).replace("solutions", "exercises", 1)
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": place}}).execute()
    return [cell for cell in book.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.stem + "-" + path.parts[0])
def test_a_sheet_shows_what_it_shows_in_an_ordinary_kernel(tab, sheet, tmp_path, monkeypatch):
    monkeypatch.delenv("MINIGRAD_SIZE", raising=False)
    with ThreadPoolExecutor(1) as beside:  # a thread without the loop that playwright keeps running in this one
        ordinary = beside.submit(run_by_jupyter, as_handed_out(sheet), sheet, tmp_path)
        tab.open(str(sheet).replace("solutions", "exercises", 1))
        tab.put(as_handed_out(sheet))
        cells = tab.run_all(300)
        expected = ordinary.result()
    says = {"".join(cell["source"]): different(cell, other) for cell, other in zip(cells, expected, strict=True)}
    assert {source: what for source, what in says.items() if what} == {}


def test_wrong_answers_are_met_with_the_same_points_and_hints(tab):
    work = wrong_answers.handed(wrong_answers.EXERCISES)
    tab.open("exercises/02_dual_numbers/02_dual_numbers.ipynb")
    tab.save("exercises/02_dual_numbers/handed.json", work)
    tab.run(wrong_answers.PROGRAM)
    outputs = tab.run("open('read.json', 'w').write(read(open('handed.json').read(), '/course'))", 900)
    assert [o for o in outputs if o["output_type"] == "error"] == []
    assert wrong_answers.others(tab.saved("exercises/02_dual_numbers/read.json"), work) == []


def test_each_cell_that_may_differ_is_there():
    sources = [cell.source for sheet in SHEETS for cell in as_handed_out(sheet).cells if cell.cell_type == "code"]
    for words in [*OTHER_NUMBERS, *OTHER_WORDS]:
        assert any(words in source for source in sources), words
