"""JupyterLab in headless Chromium: what a learner sees and does, tried on a copy of the course.

Each run starts one JupyterLab on a free port of this computer, with settings, kernels' home and notebooks of its own;
what the learner has is neither read nor changed. A page that asks for anything outside of this computer fails its test.
Screenshots go to .browser/ (MINIGRAD_SCREENSHOTS names another folder), a failed test's page as well.

`make test-browser` runs these tests, and so does `make test` where a Chromium is to be had. They have a process of
their own, because playwright keeps an event loop running, which the kernels in other tests do not bear.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from built_site import built_site

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from chromium import HELP, NoSuchProgram, find_chromium  # noqa: E402

try:
    import pytest_playwright  # noqa: F401
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)  # a busy computer is no failure

    WHY_NOT = "" if find_chromium() else HELP
except ImportError:
    WHY_NOT = "The tests in a browser need pytest-playwright: `make test-browser` installs it into .venv"
except NoSuchProgram as error:
    WHY_NOT = str(error)

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    ours = [item for item in items if HERE in item.path.parents]
    why = WHY_NOT or ("" if len(ours) == len(items) else "they need a process of their own: pytest tests/browser")
    if why:
        for item in ours:
            item.add_marker(pytest.mark.skip(reason=why))


# Quiet: nothing that a browser does by itself to the outside, such as looking for updates.
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"checkForUpdates": False, "fetchNews": "false"},
    # All cells in the page from the start: by default JupyterLab leaves out those that are scrolled away.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
# Where nothing is open, JupyterLab opens its launcher a moment later, in front of what has been opened meanwhile. So
# there is one before panels go. (Those that go in this way do not ask whether to save.)
CLOSE = """
    const { commands, shell } = jupyterapp
    const panels = (launcher) => [...shell.widgets("main")].filter((one) => one.id.startsWith("launcher") === launcher)
    if (!panels(true).length) await commands.execute("launcher:create")
    for (const panel of panels(false)) panel.dispose()
"""
OPEN = f"""async ([path, theme]) => {{ {CLOSE}
    await commands.execute("apputils:change-theme", {{ theme }})
    await commands.execute("docmanager:open", {{ path }})
    for (const launcher of panels(true)) launcher.dispose()
}}"""
# A notebook whose cells are not there yet cannot take the focus, without which the status bar has no line for it.
ACTIVATE = """() => {
    for (const panel of jupyterapp.shell.widgets("main"))
        if (!panel.id.startsWith("launcher")) jupyterapp.shell.activateById(panel.id)
}"""
# The list of files is there again, where a test has hidden it.
LEAVE = f"""async () => {{ {CLOSE}
    if (shell.leftCollapsed) shell.expandLeft()
    await jupyterapp.serviceManager.sessions.shutdownAll()
}}"""
LOOK_OF_A_PAGE = {"light": "body[data-jp-theme-light=true]", "dark": "body[data-jp-theme-light=false]"}
SHOTS = Path(os.environ.get("MINIGRAD_SCREENSHOTS", ROOT / ".browser")).resolve()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": find_chromium(), "args": FLAGS + sandbox}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "viewport": {"width": 1400, "height": 1000}}


@pytest.fixture(scope="session")
def context(browser, browser_context_args):
    """One for all tests, so that JupyterLab's scripts, some 10 MB, are fetched and compiled once, not for each page.

    An empty page stays open: without one, each page's end closes Chromium's window, and to build a new one for the next
    page took 0.7 seconds of a processor.
    """
    context = browser.new_context(**browser_context_args)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def page(context):
    page = context.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A JupyterLab of our own, on copies of the lessons and exercises."""
    for old in SHOTS.glob("failed-*.png"):
        old.unlink()
    home, root = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("course")
    passing = shutil.ignore_patterns(".*", "kernel-ipc*")  # the sockets of kernels that are at work there
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, root / folder, ignore=passing)
    settings = home / "settings"
    settings.mkdir()
    (settings / "overrides.json").write_text(json.dumps(SETTINGS))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token, log = secrets.token_hex(16), home / "lab.log"
    places = {
        "HOME": home,
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "IPYTHONDIR": home / "ipython",
        "MINIGRAD_CACHE_DIR": _cache(),  # compiled kernels are the one thing worth sharing
    }
    options = {
        "ServerApp.root_dir": root,
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "IdentityProvider.token": token,
        "LabApp.workspaces_dir": home / "workspaces",
        "LabApp.user_settings_dir": home / "user",
        "LabApp.app_settings_dir": settings,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.expose_app_in_browser": True,
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "-y"]
    command += ["--allow-root"] if os.geteuid() == 0 else []
    with open(log, "w") as output:
        process = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())],
            env={**os.environ, **{name: str(place) for name, place in places.items()}, "MINIGRAD_SIZE": "small"},
            stdout=output,
            stderr=output,
        )
    try:
        server = Server(f"http://127.0.0.1:{port}", token, root)
        _wait_for(server, process, log)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    return built_site(tmp_path_factory)


def _cache() -> Path:
    from minigrad.native import jit

    return jit.cache_folder()


def _wait_for(server: Server, process: subprocess.Popen, log: Path) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        if process.poll() is not None:
            break
        try:
            direct.open(f"{server.url}/api?token={server.token}", timeout=2)
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start. Its last words:\n{log.read_text()[-2000:]}")


class Server:
    def __init__(self, url: str, token: str, root: Path):
        self.url, self.token, self.root = url, token, root

    def write(self, name: str, *cells: str, outputs: dict[int, list] | None = None) -> str:
        """A new notebook of code cells in the course's folder; returns its name."""
        from nbformat import v4, write

        book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        for number, stored in (outputs or {}).items():
            book.cells[number].outputs = stored
        write(book, self.root / name)
        return name


@pytest.fixture(scope="session")
def pages_of_lab():
    """The page that JupyterLab is open in, for the next test: to load it takes a processor five seconds."""
    return []


@pytest.fixture
def lab(server, context, pages_of_lab, browser_context_args, request):
    """JupyterLab in a page, not opened yet. At the end: no error in the page's scripts, no request to the outside."""
    page = pages_of_lab.pop() if pages_of_lab else context.new_page()
    page.set_viewport_size(browser_context_args["viewport"])
    lab = Lab(server, page)
    yield lab
    call = getattr(request.node, "outcome_of_call", None)
    if call is None or call.failed:
        lab.shot(f"failed-{re.sub(r'[^a-z0-9]+', '-', request.node.name.lower()).strip('-')}")
    if call is None or call.failed or lab.kernel_is_gone:
        page.close()  # or it might still ask the dead kernel for something
        lab.close()
    else:
        lab.leave()
        pages_of_lab.append(page)
    assert lab.outside == [], "the page asked for something outside of this computer"
    assert lab.errors == [], "an error in the page's scripts"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.outcome_of_call = report
    return report


class Lab:
    """A learner at the keyboard: opens a notebook, runs it, looks."""

    def __init__(self, server: Server, page):
        self.server, self.page = server, page
        self.headers = {"Authorization": f"token {server.token}"}
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.kernel_is_gone = False
        page.on("pageerror", self._note_error)
        page.on("request", self._note)

    def _note_error(self, error) -> None:
        self.errors.append(str(error))

    def _note(self, request) -> None:
        here = (self.server.url, self.server.url.replace("http", "ws"), "data:", "blob:", "about:")
        if not request.url.startswith(here):
            self.outside.append(request.url)

    def open(self, name: str, theme: str = "light") -> None:
        """Open a notebook of the course, in JupyterLab's light or dark theme, and wait for its kernel."""
        page, look = self.page, f"JupyterLab {theme.title()}"
        if page.url.startswith(self.server.url):
            page.bring_to_front()  # behind another page no notebook is the current one, and the status bar is empty
            page.evaluate(OPEN, [name, look])
        else:
            self._set("apputils-extension:themes", {"theme": look})
            page.goto(f"{self.server.url}/lab/tree/{name}?token={self.server.token}&reset")
        page.wait_for_selector(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell", timeout=60_000)
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached", timeout=60_000)
        page.evaluate(ACTIVATE)
        page.get_by_text("| Idle").wait_for(timeout=60_000)
        assert page.locator(LOOK_OF_A_PAGE[theme]).count() == 1

    def leave(self) -> None:
        """Close all notebooks and shut their kernels down, so that the page is as at the start."""
        self.page.evaluate(LEAVE)
        self.page.remove_listener("pageerror", self._note_error)
        self.page.remove_listener("request", self._note)

    def theme(self, name: str) -> None:
        """Turn the page that is open light or dark."""
        self.menu("Settings")
        for entry in ("Theme", f"JupyterLab {name.title()}"):  # one that opens a menu, and one with a tick
            self.page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()
        self.page.locator(LOOK_OF_A_PAGE[name]).wait_for(state="attached")

    def _set(self, plugin: str, settings: dict) -> None:
        """Change the learner's settings of one of JupyterLab's own plugins."""
        url = f"{self.server.url}/lab/api/settings/@jupyterlab/{plugin}"
        assert self.page.request.put(url, headers=self.headers, data=json.dumps({"raw": json.dumps(settings)})).ok

    def menu(self, *path: str) -> None:
        """Choose from the menu bar."""
        for entry in path:
            self.page.get_by_role("menuitem", name=entry, exact=True).click()

    def run_all(self, timeout: float = 240) -> None:
        """Run all cells and wait until each has its number."""
        for _ in range(3):  # a kernel that says idle may not listen yet, and JupyterLab then forgets the wish
            self.menu("Run", "Run All Cells")
            if self._prompts(r"\[(\*|\d+)\]:", some=True, timeout=3):
                break
        assert self._prompts(r"\[\d+\]:", some=False, timeout=timeout), "not all cells ran to their end"

    def _prompts(self, pattern: str, some: bool, timeout: float) -> bool:
        """Tell whether some, or all, of the cells' numbers match this pattern."""
        from playwright.sync_api import TimeoutError as Late

        look = """([pattern, some]) => {
            const texts = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")]
                .map(prompt => prompt.textContent.trim()).filter(Boolean) // a folded cell's is empty
            const fits = text => new RegExp(`^${pattern}$`).test(text)
            return texts.length > 0 && (some ? texts.some(fits) : texts.every(fits)) }"""
        try:
            self.page.wait_for_function(look, arg=[pattern, some], timeout=1000 * timeout)
        except Late:
            return False
        return True

    def cell(self, source: str):
        """The code cell that has these words in it."""
        return self.page.locator(".jp-CodeCell").filter(has=self.page.locator(".jp-InputArea", has_text=source)).first

    def start(self, source: str):
        """Run the cell with these words and return it, without waiting for its end."""
        cell = self.cell(source)
        cell.locator(".jp-InputArea-editor").first.click()
        self.page.keyboard.press("Control+Enter")
        return cell

    def run(self, source: str, timeout: float = 60):
        """Run the cell with these words, wait for its number to change, and return it."""
        before = self.cell(source).locator(".jp-InputPrompt").inner_text()
        cell = self.start(source)
        self.page.wait_for_function(
            "([prompt, before]) => /\\d/.test(prompt.textContent) && prompt.textContent.trim() !== before.trim()",
            arg=[cell.locator(".jp-InputPrompt").element_handle(), before],
            timeout=1000 * timeout,
        )
        return cell

    def renew(self, source: str, part: str):
        """Run the cell with these words again, until this part of its output is another one; return the part."""
        shown = self.cell(source).locator(part)
        shown.evaluate_all("parts => parts.forEach(part => part.classList.add('mg-old'))")
        self.run(source)
        expect(self.cell(source).locator(f"{part}.mg-old")).to_have_count(0)
        expect(shown).to_be_visible()
        return shown

    def write(self, source: str, code: str) -> None:
        """Replace what stands in the cell with these words by `code`, at the keyboard."""
        self.cell(source).locator(".cm-content").first.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(code)

    def answer(self, source: str, code: str):
        """Replace what stands in the cell with these words by `code`, which has them too, run it and return it."""
        self.write(source, code)
        return self.run(source)

    def slide(self, within, *keys: str, number: int = 0) -> None:
        """Press keys at a slider in this part of the page: its first one, or another one (-1: the last)."""
        slider = within.get_by_role("slider").nth(number)
        slider.scroll_into_view_if_needed()
        slider.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def save(self, name: str) -> list[dict]:
        """Save the notebook, which has the focus; its cells as they are on the disk then."""
        with self.page.expect_response(lambda answer: answer.request.method == "PUT" and name in answer.url):
            self.page.keyboard.press("ControlOrMeta+s")
        return json.loads((self.server.root / name).read_text(encoding="utf-8"))["cells"]

    def shot(self, name: str, of=None) -> Path:
        """A screenshot of the page, or of one thing in it, kept as .browser/NAME.png."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        path = SHOTS / f"{name}.png"
        (of or self.page).screenshot(path=path)
        return path

    def close(self) -> None:
        """Shut the kernel down."""
        self.kernel_is_gone = True
        api, url = self.page.request, f"{self.server.url}/api/sessions"
        for session in api.get(url, headers=self.headers).json():
            api.delete(f"{url}/{session['id']}", headers=self.headers)
