"""The course in a browser tab: from a plain server of files, and nothing else to be reached."""

import csv
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbclient
import nbformat
import pytest
import wrong_answers
from built_site import small_site

from minigrad_class import sandbox
from minigrad_course.grading.rehearse import public_tests
from minigrad_course.project import verdict

from .outputs import difference, plain, shown

ROOT = Path(__file__).resolve().parents[2]
FETCHED = ROOT / "build" / "tab" / "wheels.txt"
MOST = 40e6  # bytes over the wire for lesson 02

pytestmark = [pytest.mark.thorough, pytest.mark.slow]


class Server:
    """Serves a folder on loopback. sent: its bytes. broken: pairs of a part of a name, and what becomes of it, once."""

    def __init__(self, folder):
        server = self

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                self.fate = server.fate_of(self.path)
                if self.fate == "gone":
                    return self.send_error(404)
                return super().do_GET()

            def copyfile(self, source, out):
                data = source.read()
                half = len(data) // 2
                data = {"cut": data[:half], "spoilt": data[:half] + bytes(len(data) - half)}.get(self.fate, data)
                server.sent += len(data)
                out.write(data)

            def log_message(self, *_):
                pass

        self.sent, self.broken = 0, []
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def fate_of(self, path):
        """Say what becomes of a file that is asked for."""
        for name, fate in self.broken:
            if name in path:
                self.broken.remove((name, fate))
                return fate
        return ""


@pytest.fixture(scope="session")
def tab_site(tmp_path_factory):
    if not FETCHED.exists():
        pytest.skip("the tab's packages were not fetched: make docs does it")
    folder = tmp_path_factory.mktemp("tab")
    command = [sys.executable, ROOT / "tools" / "tab.py", "--output", folder / "tab"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


# JupyterLab's own: a notebook that closes in the moment in which it gets a cell is asked to look at it once more.
CLOSED = re.compile(
    r"of null \(reading '(observe|insertWidget|id)'\)\n(\s+at .*jlab_core.*\n?|\s+at .*<anonymous>.*\n?)*"
)


# Another notebook's Python may be idle before this one's, and before all cells are there.
ALL_THERE = """() => {
    const { content, context } = jupyterapp.shell.currentWidget
    const whole = content.model && content.widgets.length === content.model.cells.length
    return whole && context.sessionContext.isReady && context.sessionContext.session?.kernel?.status === "idle"
}"""


class Tab:
    """A visitor: one browser profile, with pages on the tab's site."""

    def __init__(self, browser, server):
        self.server, self.outside, self.errors = server, [], []
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.context.on("request", self._note)
        self.context.on("weberror", lambda error: self.errors.append(error.error.stack or str(error.error)))
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
        self.page.wait_for_function(
            f"globalThis.jupyterapp?.shell.currentWidget?.context?.path === '{path}'", timeout=60_000
        )
        self.is_there()

    def is_there(self):
        """Wait for a notebook and its Python."""
        self.page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60_000)
        self.page.get_by_text("| Idle").wait_for(timeout=120_000)
        self.page.wait_for_function(ALL_THERE, timeout=120_000)

    def reload(self):
        self.page.reload()
        self.is_there()

    def restart(self):
        self.command("kernelmenu:restart")
        self.page.locator(".jp-Dialog .jp-mod-accept").click()
        self.page.wait_for_timeout(1000)  # it says that it is idle until it begins
        self.page.get_by_text("| Idle").wait_for(timeout=120_000)

    def stop(self):
        self.command("kernelmenu:interrupt")
        self.page.get_by_text("| Idle").wait_for(timeout=30_000)

    def keep(self, code, path):
        """Add a cell at the end, and save the notebook."""
        self.add(code)
        self.command("docmanager:save")
        self.until(f"async code => (await ({KEPT})('{path}')) === code", code)

    def until(self, wish, *arguments):
        """Wait until an async function in the page returns what is true. (To wait_for_function its promise is true.)"""
        end = time.monotonic() + 60
        while not self.page.evaluate(wish, *arguments):
            assert time.monotonic() < end, wish
            time.sleep(0.2)

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
        return self.ran(seconds)

    def ran(self, seconds):
        """The outputs of all cells, once each has run."""
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
        self.add(code)
        return self.run_cell(code, seconds)

    def run_cell(self, words, seconds=60):
        """Run the last cell with these words in it, and return its outputs."""
        cell = f"jupyterapp.shell.currentWidget.content.model.cells.get({self.start_cell(words)})"
        self.page.wait_for_function(f"() => {cell}.executionCount", timeout=1000 * seconds)
        self.page.get_by_text("| Idle").wait_for(timeout=60_000)
        return self.page.evaluate(f"{cell}.toJSON().outputs")

    def start(self, code):
        self.add(code)
        self.start_cell(code)

    def start_cell(self, words):
        return self.page.evaluate(
            """words => {
                const notebook = jupyterapp.shell.currentWidget.content
                const sources = notebook.widgets.map(({ model }) => model.sharedModel.source)
                notebook.activeCellIndex = sources.findLastIndex(source => source.includes(words))
                if (!sources[notebook.activeCellIndex].includes(words)) throw new Error(`no cell has ${words}`)
                notebook.deselectAll()
                void jupyterapp.commands.execute("notebook:run-cell")
                return notebook.activeCellIndex
            }""",
            words,
        )


@pytest.fixture
def tab(browser, tab_site):
    visitor = Tab(browser, Server(tab_site))
    yield visitor
    visitor.context.close()
    visitor.server.http.shutdown()
    assert visitor.outside == [], "the tab asked for something outside of this computer"
    assert [error for error in visitor.errors if not CLOSED.search(error)] == [], "an error in the page's scripts"


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


LESSON = "notebooks/02_dual_numbers.ipynb"
TRACING = "notebooks/03_tracing_forwards.ipynb"
EXERCISE = "exercises/02_dual_numbers/02_dual_numbers.ipynb"
LAST = "() => jupyterapp.shell.currentWidget.content.model.toJSON().cells.at(-1).source"
KEPT = (
    "async path => (await jupyterapp.serviceManager.contents.get(path, { content: true })).content.cells.at(-1).source"
)
# Python's four files, and its memory.
KEPT_FOR_LATER = "async () => (await (await caches.open('minigrad-tab')).keys()).length >= 5"
# What keep.js keeps is there, and its own service worker is gone again.
SCRIPTS_KEPT = """async () => {
    const kept = await (await caches.open("minigrad-tab-app")).keys()
    const keeping = await navigator.serviceWorker.getRegistration("/tab/extensions/minigrad-tab/static/keep/")
    return kept.some(({ url }) => url.includes("/build/jlab_core")) && !keeping?.scope.endsWith("/keep/")
}"""
GRADIENT = """
import minigrad as mg
x = mg.Variable(3.0, name="x")
(x * x + mg.sin(x)).backward()
x.grad
"""


def most_memory(browser):
    """The most memory that one of the browser's processes has had so far, in bytes (Linux only)."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    states = [Path(f"/proc/{process['id']}/status").read_text() for process in processes]
    return 1024 * max(int(re.search(r"VmHWM:\s*(\d+) kB", state)[1]) for state in states)


def processor_seconds(browser):
    """The seconds that the processors have worked so far for each process of the browser, by its id."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return {process["id"]: process["cpuTime"] for process in processes}


def test_lesson_02_runs_and_is_small(tab, browser):
    """With -s it prints what a visit costs."""
    used = processor_seconds(browser)

    def since(before):
        now = processor_seconds(browser)
        return now, sum(seconds - before.get(number, 0) for number, seconds in now.items())

    tab.open(LESSON)
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    _, first = since(used)
    tab.run_all(120)
    sent = tab.server.sent
    assert sent <= MOST
    tab.until(KEPT_FOR_LATER)
    tab.until(SCRIPTS_KEPT)
    used, _ = since(used)
    tab.reload()
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    _, again = since(used)
    assert tab.server.sent - sent < 2e6  # the interpreter comes from the cache, and is where it was
    print(f"\nA first gradient takes {first:.1f} s of the processors, on the next visit {again:.1f} s.")
    print(f"{sent / 1e6:.1f} MB over the wire for all cells, {(tab.server.sent - sent) / 1e6:.1f} on the next visit.")
    if sys.platform == "linux":
        print(f"{most_memory(browser) / 1e6:.0f} MB of memory at most in the largest process.")


BEYOND_ITS_BOX = """() => {
    const edges = element => element.getBoundingClientRect()
    const within = ({ left, right }) => text => edges(text).left > left + 2 && edges(text).right < right - 2
    const nodes = Array.from(document.querySelectorAll(".minigrad-picture .node"))
    const texts = nodes.map(node => [node.querySelector("polygon, path"), Array.from(node.querySelectorAll("text"))])
    return [nodes.length, ...texts.flatMap(([box, texts]) => texts.filter(text => !within(edges(box))(text)))
        .map(text => text.textContent)]
}"""


def test_a_graph_is_drawn(tab):
    tab.open("notebooks/05_computational_graph.ipynb")
    tab.run(GRADIENT)
    [picture] = tab.run("mg.draw(mg.sin(x) * x)")
    assert "polygon" in plain(
        "text/html", picture["data"]["text/html"]
    )  # a box: without Graphviz there are lines of text
    tab.run("y = x * mg.sin(x)\ny.backward()\nmg.draw(y)")  # with numbers of eight digits
    tab.page.locator(".minigrad-picture .node").nth(5).wait_for(state="attached")  # the page comes after the notebook
    assert tab.page.evaluate(BEYOND_ITS_BOX) == [6]
    [error] = tab.run("mg.Variable(1.0) + 'a'")
    assert error["output_type"] == "error"
    assert "interactiveshell" not in "".join(error["traceback"])
    assert "write the value into the cell" in text_of(tab.run("input('?')"))


def test_the_doctor_has_nothing_to_mend(tab):
    tab.open(EXERCISE)
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


NOT_WIDER = """() => {
    const [page] = document.querySelectorAll(".jp-NotebookPanel .jp-WindowedPanel-outer")
    return page.scrollWidth <= page.clientWidth
}"""
HELD = """
import time
from minigrad.guards.interrupts import uninterrupted
whole = []
with uninterrupted():
    end = time.monotonic() + 3
    while time.monotonic() < end:
        pass
    whole.append(7)
"""
TRAINING = """
rows = np.random.default_rng(0).normal(size=(64, 8)).astype(np.float32)
sides = mg.data.Data(rows, (rows[:, 0] > 0).astype(int), rows[:9], (rows[:9, 0] > 0).astype(int), name="sides")
model = mg.nn.Sequential(mg.nn.Linear(8, 16, rng=0), mg.nn.Tanh(), mg.nn.Linear(16, 2, rng=1))
history = mg.fit(model, sides, 10**6, 16, mg.optim.SGD(0.1), rng=0, progress=False, checkpoint="run.npz")
history.stopped
"""


def test_interrupts_leave_the_learners_work_whole(tab):
    guess = tab.page.get_by_placeholder("a number")
    tab.open(TRACING)
    tab.run_cell("def twice")
    tab.run_cell("ask('03-2'")
    guess.fill("3")
    guess.press("Enter")
    tab.page.get_by_text("Kept. Run on: it will stand beside the result.").wait_for()
    beside = "You guessed: 3. It is: 2. Your guess was 50 % too large."
    assert beside in text_of(tab.run_cell("values, rates = mg.jvp(twice"))

    tab.start(HELD)
    tab.page.get_by_text("| Busy").wait_for()
    time.sleep(1)
    tab.stop()
    assert tab.results()[-1]["outputs"][-1]["ename"] == "KeyboardInterrupt"
    assert text_of(tab.run("whole")) == "[7]"  # what must not be cut short came to its end, and names stay
    tab.start(TRAINING)
    time.sleep(3)
    tab.stop()
    assert "Stopped in epoch" in text_of(tab.results()[-1]["outputs"])
    assert text_of(tab.run("all(np.isfinite(weight.value).all() for weight in model.parameters())")) == "True"
    trained = int(text_of(tab.run("len(history.losses)")))
    tab.restart()
    assert "NameError" in json.dumps(tab.run("whole"))

    tab.run("import numpy as np\nimport minigrad as mg")
    tab.start(TRAINING)
    tab.keep("typed = 1", TRACING)
    time.sleep(3)
    tab.page.set_viewport_size({"width": 420, "height": 900})
    tab.reload()
    tab.page.wait_for_function("jupyterapp.shell.leftCollapsed")  # there is no room for the list of files
    tab.page.wait_for_function(NOT_WIDER)
    assert tab.page.evaluate(LAST) == "typed = 1"
    assert beside in json.dumps(tab.results())
    assert 0 < int(text_of(tab.run("import numpy as np\nlen(np.load('run.npz')['losses'])"))) <= trained
    tab.run_cell("ask('03-2'")
    tab.page.get_by_text("Last time you guessed: 3.").wait_for()
    assert "You guessed: 3. It was: 2." in text_of(tab.run_cell("surprises("))


def test_what_arrives_broken_is_fetched_again(tab):
    tab.server.broken = [(".wasm.bin", "spoilt"), (".wasm.bin", "gone"), ("libraries-", "cut"), ("sympy-", "cut")]
    tab.open(LESSON)
    tab.start(GRADIENT)
    tab.page.get_by_text("did not arrive whole, twice. Is the network there? Load the page again").first.wait_for()
    tab.open(LESSON)
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    assert text_of(tab.run("import sympy\nsympy.Integer(7)")) == "7"
    tab.server.broken += [("scipy-", "gone"), ("scipy-", "cut")]
    [error] = tab.run("import scipy")
    assert "scipy did not arrive whole. Is the network there? Run the cell again" in error["evalue"]
    assert text_of(tab.run("import scipy\n7")) == "7"
    assert tab.server.broken == []


def test_a_visit_without_a_network(tab):
    tab.open(LESSON)
    tab.run(GRADIENT)
    tab.until("async () => Boolean(await caches.match('/tab/files/notebooks/03_tracing_forwards.ipynb'))")
    tab.until("async () => Boolean(await caches.match('/tab/extensions/minigrad-tab/static/worker.js'))")
    tab.until(KEPT_FOR_LATER)
    tab.context.set_offline(True)
    tab.open(TRACING)
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    [error] = tab.run("import sympy")
    assert "Is the network there?" in error["evalue"]


FOUR_WAYS = "exercises/01_four_ways/01_four_ways.ipynb"


def answered(old="return (f(x + h) - f(x - h)) / (2 * h)", new="return (f(x + h) - f(x)) / h"):
    """Exercise 01 with right answers, but for the central difference, which is a forward one."""
    book = as_handed_out(Path("solutions/01_four_ways/01_four_ways.ipynb"))
    [cell] = [cell for cell in book.cells if old in cell.source]
    cell.source = cell.source.replace(old, new)
    return book


def download(tab, wish):
    """Have a file downloaded: its name, and what is in it."""
    with tab.page.expect_download() as coming:
        wish()
    return coming.value.suggested_filename, coming.value.path().read_text(encoding="utf-8")


def test_the_keyboard_alone_leads_to_hint_and_points(tab, tab_site, tmp_path):
    page, keys = tab.page, tab.page.keyboard
    start = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Start")])
    exercise = nbformat.read(ROOT / FOUR_WAYS, as_version=4)
    site = small_site(tmp_path, {"index": start, FOUR_WAYS.removesuffix(".ipynb"): exercise}, "-D", "minigrad_tab=1")
    (site / "tab").symlink_to(tab_site / "tab")
    server = tab.server = Server(site)

    def press(*names):
        for name in names:
            keys.press(name)

    def reach(is_it):
        for _ in range(12):
            press("Tab")
            if page.evaluate(f"(({{ innerText, role, ariaLabel }}) => {is_it})(document.activeElement)"):
                return
        raise AssertionError(f"the Tab key does not lead to {is_it}")

    page.goto(f"{server.url}/{FOUR_WAYS.replace('.ipynb', '.html')}")
    reach("innerText === 'Run it here'")
    press("Enter")
    tab.is_there()
    press("Shift+Enter", "Shift+Enter", "Shift+Enter", "Enter", "ControlOrMeta+a")
    keys.type("def central(f, x, h):\nreturn (f(x + h) - f(x)) / h")  # the editor indents
    press("Shift+Enter", "Shift+Enter")
    page.get_by_text("15.25 is what a forward difference gives").wait_for()
    press("ArrowUp", "ArrowUp", "Enter", "ControlOrMeta+a")
    keys.type("def central(f, x, h):\nreturn (f(x + h) - f(x - h)) / (2 * h)")
    press("Shift+Enter", "Shift+Enter")
    page.get_by_text("2 of 2 points").wait_for()
    press("b", "Enter")
    keys.insert_text(
        "import ipywidgets\nipywidgets.interactive(lambda x: print(x * x), x=ipywidgets.IntSlider(2, max=9))"
    )
    press("Control+Enter")
    page.get_by_role("slider").wait_for()
    reach("role === 'slider'")
    press("End")
    page.get_by_text("81", exact=True).wait_for()
    press("ControlOrMeta+s")
    tab.until(
        """async path => JSON.stringify(await jupyterapp.serviceManager.contents.get(path, { content: true }))
            .includes("2 of 2 points")""",
        FOUR_WAYS,
    )
    server.http.shutdown()


def test_an_exercise_is_downloaded_collected_graded(tab, tmp_path):
    hint = "15.25 is what a forward difference gives"
    tab.open(FOUR_WAYS)
    tab.put(answered())
    tab.run_all(120)
    assert hint in json.dumps(tab.results())
    tab.run("print(('½ of √2 is not √½. ' * 9 + '\\n') * 9000)")  # more than JupyterLab uploads in one piece
    name, text = download(tab, lambda: tab.menu("File", "Download"))
    assert (name, text) == download(tab, lambda: tab.command("docmanager:download"))
    assert name == "01_four_ways.ipynb"

    heap = tmp_path / "heap.zip"
    with zipfile.ZipFile(heap, "w") as file:
        file.writestr(f"Jane Doe_1_assignsubmission_file_/{name}", text)
        file.writestr(f"John Roe_2_assignsubmission_file_/{name}", nbformat.writes(answered()))
    for words in (["collect", "01", heap], ["grade", "01", *["--no-sandbox"] * bool(sandbox.missing())]):
        command = [sys.executable, "-m", "minigrad_course.cli", "class", *words, "--folder", tmp_path / "grading"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    [table] = (tmp_path / "grading").glob("grades-01_*.csv")
    rows = {row["student"]: row for row in csv.DictReader(table.open(encoding="utf-8-sig"))}
    assert rows["Jane_Doe"]["points"] == "9"
    assert all(
        rows["Jane_Doe"][test] == rows["John_Roe"][test] for test in rows["Jane_Doe"] if test.startswith("test_")
    )
    pages = [next((tmp_path / "grading" / "feedback").glob(f"{who}/*.html")).read_text() for who in rows]
    assert all(hint in page for page in pages)

    tab.run("mistake = 1")
    tab.command("docmanager:save")
    tab.until(f"async () => (await ({KEPT})('{FOUR_WAYS}')) === 'mistake = 1'")
    tab.page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
    tab.page.evaluate(
        """() => {
            const panel = jupyterapp.shell.currentWidget
            panel.content.model.sharedModel.insertCell(0, { cell_type: "code", source: "late = 1" })
            panel.dispose()
        }"""
    )
    with tab.page.expect_file_chooser() as chooser:
        tab.page.get_by_role("button", name="Upload Files").click()
    chooser.value.set_files([{"name": name, "mimeType": "application/x-ipynb+json", "buffer": text.encode()}])
    tab.page.locator(".jp-Dialog .jp-mod-accept").click()
    while tab.page.evaluate(f"async () => await ({KEPT})('{FOUR_WAYS}').catch(() => 'mistake = 1')") == "mistake = 1":
        time.sleep(0.5)  # it arrives in pieces
    assert json.loads(tab.saved(FOUR_WAYS)) == json.loads(text)


def test_where_the_storage_is_full_nothing_is_lost(tab):
    tab.open(FOUR_WAYS)
    tab.keep("before = 1", FOUR_WAYS)
    devtools = tab.context.new_cdp_session(tab.page)
    quota = {"origin": tab.server.url, "quotaSize": 1_000_000}  # less than is there already
    devtools.send("Storage.overrideQuotaForOrigin", quota)
    notice = tab.page.get_by_text("The browser's storage is full.")
    for _ in range(30):  # Chromium knows for half a minute how much room there was
        if notice.count():
            break
        tab.add("filler = 1")
        tab.command("docmanager:save")
        time.sleep(2)
    kept = tab.saved(FOUR_WAYS)
    tab.put(answered())
    tab.run_all(120)  # where the points have no place either, the cells run on
    tab.add("after = 2")
    tab.command("docmanager:save")
    notice.filter(
        has_text="01_four_ways.ipynb stays as it was saved: download it, and delete what you do not need."
    ).last.wait_for()
    assert tab.saved(FOUR_WAYS) == kept
    for wish in (
        lambda: tab.page.get_by_role("button", name="Download").last.click(),
        lambda: tab.menu("File", "Download"),
    ):
        name, text = download(tab, wish)
        assert name == "01_four_ways.ipynb"
        assert json.loads(text)["cells"][-1]["source"] == "after = 2"
    other = Tab.beside(tab)
    other.open(LESSON)
    tab.page.evaluate(f"void jupyterapp.commands.execute('docmanager:open', {{ path: '{TRACING}' }})")
    tab.page.wait_for_function(f"() => jupyterapp.shell.currentWidget.context?.path === '{TRACING}'")
    for visit in (other, tab):
        visit.is_there()
        assert text_of(visit.run(GRADIENT)).startswith("5.01")
        assert visit.page.locator(".jp-Dialog").count() == 0
    tab.page.evaluate(f"void jupyterapp.commands.execute('docmanager:open', {{ path: '{FOUR_WAYS}' }})")
    tab.page.wait_for_function(f"() => jupyterapp.shell.currentWidget.context?.path === '{FOUR_WAYS}'")
    assert text_of(tab.run(GRADIENT)).startswith("5.01")
    del quota["quotaSize"]  # there is room again
    devtools.send("Storage.overrideQuotaForOrigin", quota)
    tab.command("docmanager:save")
    tab.until(f"async () => (await ({KEPT})('{FOUR_WAYS}')).includes('x.grad')")


def test_two_tabs_ask_before_one_overwrites_the_other(tab):
    tab.open(LESSON)
    other = Tab.beside(tab)
    other.open(LESSON)
    tab.keep("first = 1", LESSON)
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
    tab.until(
        """async () => (await jupyterapp.serviceManager.contents.get(".minigrad/progress.jsonl", { content: true })
            .catch(() => null))?.content.includes('"ours"')"""
    )
    assert '"theirs"' in tab.saved(".minigrad/progress.jsonl")


def test_a_new_site_leaves_the_learners_notebooks(tab, tab_site, tmp_path):
    shutil.copytree(tab_site, tmp_path / "site", copy_function=os.link)
    server = tab.server = Server(tmp_path / "site")
    tab.open(LESSON)
    tab.keep("mine = 1", LESSON)
    for name in ("02_dual_numbers", "03_tracing_forwards"):
        place = tmp_path / "site" / "tab" / "files" / "notebooks" / f"{name}.ipynb"
        book = nbformat.read(place, as_version=4)
        book.cells.append(nbformat.v4.new_code_cell("new = 2"))
        place.unlink()  # the other site keeps its own
        nbformat.write(book, place)
    tab.open(LESSON)
    assert tab.page.evaluate(LAST) == "mine = 1"
    tab.open(TRACING)
    assert tab.page.evaluate(LAST) == "new = 2"
    server.http.shutdown()


def test_every_link_of_a_notebook_has_a_place(tab_site):
    files, static = tab_site / "tab" / "files", tab_site / "tab" / "extensions" / "minigrad-tab" / "static"
    elsewhere = json.loads((static / "elsewhere.json").read_text())
    dead, links = [], 0
    for sheet in files.rglob("*.ipynb"):
        text = "".join(cell.source for cell in nbformat.read(sheet, as_version=4).cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\((?![a-z]+:|#)([^)\s#]+)", text):
            place, links = (sheet.parent / target).resolve(), links + 1
            if not place.exists() and place.relative_to(files.resolve()).as_posix() not in elsewhere:
                dead.append((sheet.name, target))
    assert links > 200
    assert dead == []


def test_a_link_leads_to_the_site(tab):
    tab.open("notebooks/08_tape_to_program.ipynb")
    tab.page.evaluate(
        "jupyterapp.shell.currentWidget.content.scrollToItem(jupyterapp.shell.currentWidget.content.widgets.length - 1)"
    )
    with tab.context.expect_page() as other:
        tab.page.get_by_role("link", name="9 · Making it fast").click()
    assert other.value.url == f"{tab.server.url}/notebooks/09_making_it_fast.html"
    assert tab.page.locator(".jp-Dialog").count() == 0


def test_a_terminals_commands_get_a_sentence(tab):
    tab.open(LESSON)
    for cell in ("!minigrad grade --full 02", "%%bash\nls", "%pip install torch", "names = !ls", "!!ls"):
        assert "A browser tab has no terminal" in text_of(tab.run(cell)), cell
    assert text_of(tab.run("names")) == "[]"


def test_work_leaves_as_one_file_and_comes_back(tab, browser, tmp_path):
    tab.open(FOUR_WAYS)
    tab.put(answered())
    tab.run_all(120)
    tab.keep("mine = 1", FOUR_WAYS)
    tab.saved(".minigrad/progress.jsonl")
    with tab.page.expect_download() as coming:
        tab.menu("File", "Download My Work")
    work = tmp_path / coming.value.suggested_filename
    coming.value.save_as(work)
    with zipfile.ZipFile(work) as file:
        assert file.testzip() is None
        assert {FOUR_WAYS, ".minigrad/progress.jsonl"} <= {*file.namelist()}
        assert "mine = 1" in file.read(FOUR_WAYS).decode()
        points = file.read(".minigrad/progress.jsonl").decode()
        packed = tmp_path / "from a computer.zip"
        with zipfile.ZipFile(
            packed, "w", zipfile.ZIP_DEFLATED
        ) as again:  # in a folder, and with what is not the course's
            for name in file.namelist():
                again.writestr(f"course/{name}", file.read(name))
            again.writestr("course/setup.cfg", "")
    for file in (work, packed):
        new = Tab(browser, tab.server)
        new.open(FOUR_WAYS)
        new.page.evaluate("jupyterapp.serviceManager.contents.save('.minigrad', { type: 'directory' })")
        new.save(".minigrad/progress.jsonl", '{"test": "earned here"}\n')
        new.keep("another = 2", FOUR_WAYS)
        with new.page.expect_file_chooser() as chooser:
            new.menu("File", "Bring Back My Work…")
        chooser.value.set_files(file)
        new.page.locator(".jp-Dialog").get_by_text("will be replaced").wait_for()
        new.page.locator(".jp-Dialog .jp-mod-accept").click()
        new.page.get_by_text("are back.").wait_for()
        new.page.wait_for_function(f"({LAST})() === 'mine = 1'")
        both = new.saved(".minigrad/progress.jsonl")
        assert "earned here" in both
        assert all(line in both for line in points.splitlines())
        new.command("minigrad:original")
        new.page.locator(".jp-Dialog .jp-mod-accept").click()
        new.page.wait_for_function(f"({LAST})() !== 'mine = 1'")
        new.context.close()


def test_a_new_phone_has_room_for_the_notebook(browser, tab):
    tab.page.set_viewport_size({"width": 420, "height": 800})
    tab.context.new_cdp_session(tab.page).send("Emulation.setCPUThrottlingRate", {"rate": 3})
    tab.open(LESSON)
    tab.page.wait_for_timeout(5000)  # what opens the notebook's folder may come late
    assert tab.page.evaluate("jupyterapp.shell.leftCollapsed")
    assert tab.page.locator(".jp-NotebookPanel").bounding_box()["width"] > 330


def test_an_old_page_hears_of_a_new_site(tab, tab_site, tmp_path):
    shutil.copytree(tab_site, tmp_path / "site", copy_function=os.link)
    server = tab.server = Server(tmp_path / "site")
    tab.open(LESSON)
    static = tmp_path / "site" / "tab" / "extensions" / "minigrad-tab" / "static"
    listed = (static / "packages.json").read_text()
    [old] = (static / "packages").glob("sympy-*")
    old.rename(old.with_name("sympy-0123456789.zip.bin"))
    (static / "packages.json").unlink()  # the other site keeps its own
    (static / "packages.json").write_text(listed.replace(old.name, "sympy-0123456789.zip.bin"))
    [error] = tab.run("import sympy")
    assert "which has a new version: save, and load the page again. Your work stays." in error["evalue"]
    server.http.shutdown()


WIDGETS = """
import ipywidgets, numpy as np, minigrad as mg
from minigrad_course.project.digit_pad import DigitPad
rng = np.random.default_rng(0)
weights = [0.1 * rng.normal(size=shape) for shape in ((784, 8), (8,), (8, 10), (10,))]
display(ipywidgets.interactive(lambda x: print("square:", x * x), x=ipywidgets.IntSlider(2, min=0, max=9)))
display(mg.explore(lambda x, y: mg.sin(x * y) + x * x, 3.0, 4.0))
DigitPad(weights, rng.uniform(size=(3, 784)), [3, 1, 4])
"""


def test_widgets_move(tab):
    page = tab.page
    tab.open(LESSON)
    tab.run(WIDGETS)
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("End")
    page.get_by_text("square: 81").wait_for()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 600, box["y"], steps=5)
    page.mouse.up()
    page.get_by_text("square: 0").wait_for()

    explore = page.locator(".mgx").first
    explore.scroll_into_view_if_needed()
    before = explore.inner_text()
    explore.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([element, before]) => element.innerText !== before", arg=[explore.element_handle(), before]
    )

    pad = page.locator(".mg-digits")
    pad.scroll_into_view_if_needed()
    paper = pad.locator(".mg-paper").bounding_box()
    page.mouse.move(paper["x"] + 60, paper["y"] + 40)
    page.mouse.down()
    page.mouse.move(paper["x"] + 90, paper["y"] + 140, steps=10)
    page.mouse.up()
    pad.locator(".mg-words", has_text="It says").wait_for()


SHEETS = [
    *(path.relative_to(ROOT) for path in sorted((ROOT / "notebooks").glob("0[0-8]_*.ipynb"))),
    *(path.relative_to(ROOT) for path in sorted((ROOT / "notebooks").glob("1[0-47]*_*.ipynb"))),
    Path("notebooks/puzzles.ipynb"),
    *(path.relative_to(ROOT) for path in sorted((ROOT / "solutions").glob("0[1-8]_*/0*.ipynb"))),
    *(path.relative_to(ROOT) for path in sorted((ROOT / "solutions").glob("1[0-47]_*/1*.ipynb"))),
]
# Cells that show other numbers in a tab, or a picture of such numbers, by words in them: their words are compared.
OTHER_NUMBERS = [
    # Roundings: of other kernels for products and systems.
    "def eliminate(", "best_of_one = np.full(", "change = (s - best_of_one)", "class Equilibrium(", "class Deep(",
    "mg.linalg.solve(np.eye(3)",
    # Seconds.
    "swell.append(", "in_turns(", "compared(", "compare({", "{step.compile_s",
    "began = time.perf_counter()", "_, pull_back = mg.vjp(mill", "axes.plot(counts, forward",
    "axes.loglog(sizes",
    # The products that conjugate gradients take until they are near enough: rounding decides about the last ones.
    "import LinearOperator, cg", "stiff = largest_curvature(", "def errors(way",
    # float32: sums in another order, and differences of nearly equal numbers.
    "show_agreement(before=before", "embedded = mg.data.digits()", "compiled_epochs = epochs", "def close_calls(",
    "ended[std] = error(", "class Plane(",
    "W, b = nn.init.normal(", "learned = [run.before", 'text = "| updates | "', "by_value = train_dangerously(",
]  # fmt: skip
# Cells that show other words: what they show is of the same kinds.
OTHER_WORDS = [
    # What is measured, or is about this Python.
    "doctor.show()", 'kind = "plain Python"', "as first:", 'title="Milliseconds", xticks', '"mg.conv2d": mg.conv2d',
    "for way in (slide, slide_by_matmul",
    # A trained network's weights in base64, which differ in their last bits; parts that have names of their own.
    "DigitPad([",
    # Without ctypes no bytes are counted, so there is a picture less, and none of the process without memray.
    '"new arrays": fresh', "import WAYS", "%%measure", 'measure(bytes="process")', "counted = {}",
    "per_step(lambda steps", "tracemalloc.start()", "epochs, rate = 5 if full", "m.peak_bytes, u.grad.copy()",
    "PAPER_B = {", "for name, (h, sizes) in runs.items():",
    # Why there is no PyTorch.
    "peers.train_several_in_pytorch(", "peers.train_in_pytorch(", "peers.take_turns(",
    # Which sum of a row overflows first.
    'StripReader(rng=0, strip=28, nonlinearity="relu")',
    # For pages without scripts the graph is there as a PNG, and in a tab as SVG.
    "mg.explore(",
    # A set is in no order.
    "print(writes(",
]  # fmt: skip


def different(cell, ordinary):
    """Say how a cell of the tab differs from the ordinary one in what it should not."""
    source = "".join(cell["source"])
    if any(words in source for words in OTHER_WORDS):
        return difference(*([(kind, "") for kind, _ in shown(c) if kind != "image/png"] for c in (cell, ordinary)))
    return difference(shown(cell), shown(ordinary), not any(words in source for words in OTHER_NUMBERS))


def trains(sheet):
    """Tell whether a sheet trains networks."""
    return "10" < sheet.stem < "2"


def as_handed_out(sheet):
    """A lesson, an exercise with right answers in it, or the puzzles with theirs."""
    book = nbformat.read(ROOT / sheet, as_version=4)
    answers = iter(re.findall(r"(?m)^\d+\. `(?:return |kept = )?(.+)`$", book.cells[-1].source))
    for cell in book.cells if sheet.stem == "puzzles" else ():
        cell.source = re.sub(r"(?m)\.\.\.$", lambda _: next(answers), cell.source)
    return public_tests(book) if sheet.parts[0] == "solutions" else book


def run_by_jupyter(book, sheet, course):
    """Run a notebook in the ordinary kernel, in a course that has what the tab has, without PyTorch."""
    for folder in [ROOT / "notebooks", *ROOT.glob("exercises/0[1-8]_*"), *ROOT.glob("exercises/1[0-47]_*")]:
        shutil.copytree(folder, course / folder.relative_to(ROOT), ignore=shutil.ignore_patterns(".*"))
    place = course / str(sheet.parent).replace("solutions", "exercises", 1)
    book.cells.insert(0, nbformat.v4.new_code_cell("import sys\nsys.modules['torch'] = None"))
    nbclient.NotebookClient(book, timeout=300, resources={"metadata": {"path": place}}).execute()
    return [cell for cell in book.cells[1:] if cell.cell_type == "code"]


@pytest.mark.parametrize(
    "sheet",
    [pytest.param(sheet, marks=[pytest.mark.turns] * trains(sheet)) for sheet in SHEETS],  # those take minutes
    ids=lambda path: path.stem + "-" + path.parts[0],
)
def test_a_sheet_shows_what_an_ordinary_kernel_shows(tab, sheet, tmp_path, monkeypatch):
    monkeypatch.delenv("MINIGRAD_SIZE", raising=False)
    if trains(sheet):  # less with a program in plain Python, so there, too
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with ThreadPoolExecutor(1) as beside:  # a thread without the loop that playwright keeps running in this one
        ordinary = beside.submit(run_by_jupyter, as_handed_out(sheet), sheet, tmp_path)
        tab.open(str(sheet).replace("solutions", "exercises", 1))
        tab.put(as_handed_out(sheet))
        cells = tab.run_all(600 if trains(sheet) else 300)
        expected = ordinary.result()
    both = [("".join(cell["source"]), different(cell, other)) for cell, other in zip(cells, expected, strict=True)]
    others = [f"{source[:100]!r}: {what[:300]}" for source, what in both if what]
    assert not others, "\n".join(others)


def test_wrong_answers_are_met_with_the_same_points(tab):
    work = wrong_answers.handed(wrong_answers.EXERCISES)
    tab.open(EXERCISE)
    tab.save("exercises/02_dual_numbers/handed.json", work)
    tab.run(wrong_answers.PROGRAM)
    outputs = tab.run("open('read.json', 'w').write(read(open('handed.json').read(), '/course'))", 900)
    assert [o for o in outputs if o["output_type"] == "error"] == []
    assert wrong_answers.others(tab.saved("exercises/02_dual_numbers/read.json"), work) == []


PROJECT = "project/project.ipynb"
ROWS = """
import json
from minigrad_course import project
def rows(*milestones):
    return [[row.test, row.points, row.feedback, row.hint] for row in project.grade(*milestones, file="mine.py").rows]
"""
ENDLESS = """
class Node:
    def __init__(self, value, inputs=()):
        self.value, self.op, self.inputs, self.grad = value, "", inputs, 0.0
    def __add__(self, other):
        while True:
            pass
"""
FILLS_THE_STACK = ENDLESS.replace("while True", "for _ in range(300_000)").replace(
    "pass", "other = Node(0.0, (other,))"
)


def test_an_engine_is_tried_in_its_own_python(tab):
    solution = (ROOT / "solutions" / "project" / "mine.py").read_text(encoding="utf-8")
    tab.open(PROJECT)
    tab.save("project/mine.py", solution)
    tab.run(ROWS)
    began = time.monotonic()
    outputs = tab.run("open('rows.json', 'w').write(json.dumps(rows()))", 900)
    print(f"\nThe whole engine is judged in {time.monotonic() - began:.0f} s.")
    assert errors([{"metadata": {}, "outputs": outputs}]) == []
    expected = [[r.test, r.points, r.feedback, r.hint] for r in verdict.judge(ROOT / "solutions/project/mine.py").rows]
    rows = json.loads(tab.saved("project/rows.json"))
    assert rows[:-1] == expected[:-1]
    assert rows[-1][:2] == ["13 compiled", None]
    assert "Python in a browser has no numba" in rows[-1][2]


def test_an_engine_that_never_ends_is_interrupted(tab):
    tab.open(PROJECT)
    tab.save("project/mine.py", ENDLESS)
    tab.run(ROWS)
    tab.start("rows(1)")
    tab.page.wait_for_timeout(20_000)
    tab.stop()
    assert "KeyboardInterrupt" in [output.get("ename") for output in tab.results()[-1]["outputs"]]
    tab.save("project/mine.py", FILLS_THE_STACK)
    outputs = text_of(tab.run("rows(1)"))
    assert "the process ended while this test ran" in outputs
    assert "not written yet: sin" in outputs  # of the next test, in a new one
    tab.save("project/mine.py", "import nothing_of_the_kind")
    assert "nothing_of_the_kind" in text_of(tab.run("rows(1)"))


def test_each_cell_that_may_differ_is_there():
    sources = [cell.source for sheet in SHEETS for cell in as_handed_out(sheet).cells if cell.cell_type == "code"]
    for words in [*OTHER_NUMBERS, *OTHER_WORDS]:
        assert any(words in source for source in sources), words
