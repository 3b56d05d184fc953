"""The course in a tab of Firefox, driven by its own WebDriver BiDi: no driver beside the browser is needed."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from .test_tab import FOUR_WAYS, GRADIENT, KEPT, LAST, LESSON, Server, answered, errors, tab_site, text_of

websocket = pytest.importorskip("websocket")

__all__ = ["tab_site"]  # a fixture

FIREFOX = os.environ.get("MINIGRAD_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://127\.0\.0\.1:\d+)")
QUIET = {  # whatever is not on this computer goes to a port where nobody listens
    "network.proxy.type": 1,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "browser.startup.homepage": "about:blank",
}

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.slow,
    pytest.mark.skipif(not FIREFOX, reason="there is no Firefox: install one, or name it in MINIGRAD_FIREFOX"),
]


class Firefox:
    """One page of a Firefox with a profile of its own."""

    def __init__(self, folder):
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in QUIET.items()]
        (profile / "user.js").write_text("".join(lines))
        log = folder / "firefox.log"
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
            env={**os.environ, "HOME": str(folder)},
            start_new_session=True,
        )
        end = time.monotonic() + 60
        while not (listens := LISTENS.search(log.read_text())):
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.2)
        self.socket = websocket.create_connection(f"{listens[1]}/session", timeout=300, suppress_origin=True)
        self.numbers, self.asked = itertools.count(), []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["network.beforeRequestSent"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **parameters):
        """Return what Firefox answers to one command."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            if answer.get("method") == "network.beforeRequestSent":
                self.asked.append(answer["params"]["request"]["url"])
        assert answer["type"] == "success", answer
        return answer["result"]

    def evaluate(self, expression):
        """Return the value of an expression of JavaScript, or of its promise."""
        answer = self.call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])

    def until(self, expression, seconds=120):
        end = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            assert time.monotonic() < end, expression
            time.sleep(0.5)
        return value

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)  # its pages are processes of their own
        self.process.wait(30)


NOTEBOOK = "jupyterapp.shell.currentWidget.content"
CELLS = f"Array.from({NOTEBOOK}.model.cells).map(cell => cell.toJSON()).filter(cell => cell.cell_type === 'code')"
IDLE = "jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"


class Learner:
    """A notebook of the tab, open in Firefox."""

    def __init__(self, firefox, url):
        self.firefox, self.url = firefox, url

    def open(self, path):
        address = f"{self.url}/tab/lab/index.html?path={path}"
        self.firefox.call("browsingContext.navigate", context=self.firefox.context, url=address, wait="complete")
        # A window that nobody sees has no focus, and without one JupyterLab knows no current notebook.
        self.firefox.until(
            f"""(() => {{
                const panels = Array.from(globalThis.jupyterapp?.shell.widgets("main") ?? [])
                const panel = panels.find(({{ context }}) => context?.path === "{path}")
                panel?.content.node.dispatchEvent(new FocusEvent("focus"))
                return panel && panel === jupyterapp.shell.currentWidget
            }})()"""
        )
        self.firefox.until(f"{IDLE} && {NOTEBOOK}.model.cells.length > 0")

    def command(self, name):
        self.firefox.evaluate(f"void jupyterapp.commands.execute('{name}')")

    def run_all(self):
        """Return the cells of code, once each has run."""
        self.command("notebook:run-all-cells")
        ran = "every(cell => cell.execution_count || ![cell.source].flat().join('').trim())"
        self.firefox.until(f"{CELLS}.{ran} && {IDLE}", 300)
        return self.firefox.evaluate(CELLS)

    def start(self, code):
        """Run a new cell at the end of the notebook, without waiting for its end."""
        added = json.dumps({"cell_type": "code", "source": code})
        self.firefox.evaluate(
            f"""(() => {{
                const {{ model }} = {NOTEBOOK}
                model.sharedModel.insertCell(model.cells.length, {added})
                {NOTEBOOK}.activeCellIndex = model.cells.length - 1
                {NOTEBOOK}.deselectAll()
            }})()"""
        )
        self.command("notebook:run-cell")

    def run(self, code):
        """Return the outputs of a new cell at the end of the notebook."""
        self.start(code)
        last = f"{CELLS}.at(-1)"
        self.firefox.until(f"{last}.execution_count && {IDLE}")
        return self.firefox.evaluate(f"{last}.outputs")


@pytest.fixture
def learner(tab_site, tmp_path):
    server, firefox = Server(tab_site), Firefox(tmp_path)
    try:
        yield Learner(firefox, server.url)
        outside = [url for url in firefox.asked if not url.startswith((server.url, "data:", "blob:", "about:"))]
        assert outside == [], "the tab asked for something outside of this computer"
    finally:
        firefox.close()
        server.http.shutdown()


def test_an_answer_outlives_the_page(learner):
    learner.open(LESSON)
    assert errors(learner.run_all()) == []
    assert text_of(learner.run(GRADIENT)).startswith("5.01")
    learner.start("whole = [7]\nwhile True:\n    pass")
    time.sleep(2)
    learner.command("kernelmenu:interrupt")
    learner.firefox.until(f"{CELLS}.at(-1).outputs.at(-1)?.ename === 'KeyboardInterrupt' && {IDLE}", 30)
    assert text_of(learner.run("whole")) == "[7]"

    learner.open(FOUR_WAYS)
    learner.firefox.evaluate(f"void {NOTEBOOK}.model.fromJSON({json.dumps(answered())})")
    shown = json.dumps(learner.run_all())
    assert "15.25 is what a forward difference gives" in shown
    assert "2 of 2 points" in shown
    learner.run("answer = 1")
    learner.command("docmanager:save")
    learner.firefox.until(f"({KEPT})('{FOUR_WAYS}').then(source => source === 'answer = 1')")
    learner.open(FOUR_WAYS)
    assert learner.firefox.evaluate(f"({LAST})()") == "answer = 1"
