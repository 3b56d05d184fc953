"""A class on a JupyterHub, as its students and their instructor see it: log in, open, solve, hand in, be graded, read
the feedback, get an update and keep one's answers. Two students at once, one hub, a real browser.

Needs jupyterhub and configurable-http-proxy (deploy/README.md), which are not part of the set-up.
"""

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(os.environ.get("MINIGRAD_SCREENSHOTS", ROOT / ".browser"))
PORT = int(os.environ.get("MINIGRAD_HUB_PORT", "8470"))
HUB = f"http://127.0.0.1:{PORT}"
EXERCISE = "01_four_ways"
ANSWERS = {"ann": "return (f(x + h) - f(x - h)) / (2 * h)", "zoe": "return (f(x + h) - f(x)) / h"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("jupyterhub") is None, reason="jupyterhub is not installed"),
    pytest.mark.skipif(shutil.which("configurable-http-proxy") is None, reason="no configurable-http-proxy"),
]


def minigrad(*words, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "minigrad_course.cli", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A hub of our own; its folder."""
    folder = tmp_path_factory.mktemp("hub")
    assert minigrad("class", "course", str(folder / "course"), folder=ROOT).returncode == 0
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MINIGRAD_HUB": str(folder),
        "MINIGRAD_HUB_PORT": str(PORT),
        "MINIGRAD_HUB_SPAWNER": "simple",
        "MINIGRAD_HUB_AUTHENTICATOR": "dummy",
        "JUPYTER_CONFIG_DIR": str(folder / "settings"),
    }
    command = [sys.executable, "-m", "jupyterhub", "-f", str(ROOT / "deploy" / "jupyterhub_config.py")]
    with open(folder / "hub.log", "w") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o022,
        )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{HUB}/hub/login", timeout=5)
            break
        except OSError:
            time.sleep(0.5)
    yield folder
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def log_in(browser, name):
    page = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
    page.goto(f"{HUB}/hub/login")
    page.fill("#username_input", name)
    page.fill("#password_input", "secret")
    page.screenshot(path=SHOTS / f"hub-1-login-{name}.png")
    page.click("#login_submit")
    page.wait_for_url(f"**/user/{name}/lab/**", timeout=120_000)
    return page


def open_exercise(page, name):
    page.goto(f"{HUB}/user/{name}/lab/tree/exercises/{EXERCISE}/{EXERCISE}.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=120_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=120_000)


def run_line(page, line, answer):
    """Add a cell at the end, run a line in it, and wait for what it says."""
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.last.scroll_into_view_if_needed()
    cells.last.locator(".jp-InputPrompt").click()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.keyboard.insert_text(line)
    page.keyboard.press("Shift+Enter")
    page.locator(".jp-OutputArea-output", has_text=answer).last.wait_for(timeout=60_000)


@pytest.fixture(scope="module")
def students(hub, browser):
    SHOTS.mkdir(exist_ok=True)
    return {name: log_in(browser, name) for name in ANSWERS}


def test_a_class_from_log_in_to_feedback(hub, students):
    home = {name: hub / "homes" / name for name in ANSWERS}
    hand_in = f"!{sys.executable} -m minigrad_course.cli hand-in 01"
    for name, page in students.items():
        open_exercise(page, name)
        editor = page.locator(".jp-CodeCell", has_text="def central(f, x, h):").first.locator(".cm-content")
        editor.click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(f"def central(f, x, h):\n    {ANSWERS[name]}")
        page.keyboard.press("Control+s")
        notebook = home[name] / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
        for _ in range(300):  # until it is saved; for a moment there is no such file
            page.wait_for_timeout(100)
            with contextlib.suppress(FileNotFoundError):
                if ANSWERS[name] in notebook.read_text(encoding="utf-8"):
                    break
        page.screenshot(path=SHOTS / f"hub-2-solved-{name}.png")
        run_line(page, hand_in, f"of {name} is handed in")
        page.screenshot(path=SHOTS / f"hub-3-handed-in-{name}.png")
        assert not (home[name] / "solutions").exists()

    # Nobody hands in as somebody else, whatever the request says.
    request = urllib.request.Request(f"http://127.0.0.1:{PORT + 2}/{EXERCISE}", data=b"{}", method="PUT")
    for token in ("", "token 0123456789abcdef0123456789abcdef"):
        request.add_header("Authorization", token)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request)

    # The instructor, at the shell.
    words = ["--folder", str(hub / "grading")]
    output = minigrad("class", "collect", "01", str(hub / "grading" / "inbox" / EXERCISE), *words, folder=ROOT)
    assert "2 submissions of 01_four_ways taken" in output.stdout, output
    wall = [] if shutil.which("bwrap") else ["--no-sandbox"]
    output = minigrad("class", "grade", "01", *words, *wall, folder=ROOT)
    assert "2 graded" in output.stdout, output
    table = (hub / "grading" / f"grades-{EXERCISE}.csv").read_text(encoding="utf-8-sig")
    points = {line.split(",")[0]: line.split(",")[3] for line in table.splitlines()[1:]}
    assert float(points["ann"]) > float(points["zoe"])

    for name, page in students.items():
        run_line(page, f"{hand_in} --feedback", "Your feedback")
        page.goto(f"{HUB}/user/{name}/files/exercises/{EXERCISE}/feedback.html")
        assert page.locator("body").get_by_text(name, exact=True).count() == 1
        page.screenshot(path=SHOTS / f"hub-4-feedback-{name}.png")


def test_an_update_comes_with_the_next_start_and_answers_stay(hub, students):
    page = students["ann"]
    answers = hub / "homes" / "ann" / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
    before = answers.read_bytes()
    assert ANSWERS["ann"] in before.decode()
    (hub / "course" / "notebooks" / "00_news.md").write_text("There is a new lesson.")
    (hub / "course" / "README.md").write_text("A newer guide.")
    (hub / "course" / "exercises" / EXERCISE / f"{EXERCISE}.ipynb").write_text("{}")
    page.goto(f"{HUB}/hub/home")
    page.click("#stop")
    page.wait_for_selector("#start:has-text('Start My Server')", timeout=60_000)
    page.click("#start")
    page.wait_for_url("**/user/ann/lab/**", timeout=120_000)
    assert (hub / "homes" / "ann" / "notebooks" / "00_news.md").exists()
    assert (hub / "homes" / "ann" / "README.md").read_text() == "A newer guide."
    assert answers.read_bytes() == before


def test_nbgraders_menus_are_not_there(students):
    page = students["zoe"]
    open_exercise(page, "zoe")
    assert page.get_by_role("menuitem", name="File").count() == 1
    assert page.get_by_role("menuitem", name="Nbgrader").count() == 0


def test_nothing_of_a_class_is_for_others_to_read(hub, students):
    """All that was written above: by the hub, its service and its servers, and by the instructor at the shell."""
    places = [path for room in ("state", "grading", "homes") for path in [hub / room, *(hub / room).rglob("*")]]
    assert {"jupyterhub.sqlite", "cookie_secret", f"grades-{EXERCISE}.csv", f"{EXERCISE}.html"} <= {
        path.name for path in places
    }
    # IPython copies a README of its own with the mode that it has; it lies in a home that is closed.
    opened = [path for path in places if not path.is_symlink() and path.stat().st_mode & 0o077]
    assert [str(path) for path in opened if path.name != "README" or path.stat().st_mode & 0o022] == []
