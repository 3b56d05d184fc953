"""What the Makefile runs: set up .venv, then start one thing in it.

python3 tools/run.py lab | test | lint | format | notebooks | install   [arguments passed on]
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from setup import PYTHON, ROOT, SUPPORTED, VENV, SetupError, one_at_a_time, say, set_up

START = "notebooks/00_start.ipynb"
LEARNER = ["course"]  # extras of pyproject.toml
AUTHOR = ["course", "test"]


def run(*command: str) -> None:
    """Run a program of .venv; leave with its status if it fails."""
    status = subprocess.run([PYTHON, "-m", *command], cwd=ROOT).returncode
    if status != 0:
        sys.exit(status)


def lint(arguments: list[str]) -> None:
    """Style, format and types."""
    run("ruff", "check", *arguments)
    run("ruff", "format", "--check", *arguments)
    run("mypy")


def reformat(arguments: list[str]) -> None:
    """Mend what can be mended by itself."""
    run("ruff", "check", "--fix", *arguments)
    run("ruff", "format", *arguments)


def notebooks(arguments: list[str]) -> None:
    """Build notebooks/, exercises/ and solutions/ from sources/."""
    run("minigrad.grading.build", *arguments)


def test(arguments: list[str]) -> None:
    """All that CI demands; pytest comes last, and has the last word."""
    lint([])
    in_step = subprocess.run([PYTHON, "-m", "minigrad.grading.build", "--check"], cwd=ROOT).returncode == 0
    if not in_step and os.environ.get("CI"):
        sys.exit(1)
    if not in_step:  # a learner's own answers and outputs do this too
        say("The notebooks are not as built from sources/. Authors: `make notebooks` before you commit.", "amber")
    # As many workers as there are processors to have; BLAS threads on top would only get in each other's way.
    os.environ.setdefault("PYTEST_XDIST_AUTO_NUM_WORKERS", str(processors()))
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    run("pytest", "--numprocesses", "auto", "--maxschedchunk", "1", "--nbmake", *arguments)


def processors() -> int:
    """How many this process may use: fewer than the machine has where a container or a batch system says so."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):  # no such limit
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        count = min(count, max(1, round(int(quota) / int(period))))
    return count


def lab(arguments: list[str]) -> None:
    """Start JupyterLab on the first lesson and say where it is; ends with Ctrl-C."""
    remote = "SSH_CONNECTION" in os.environ
    screen = sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    # The whole repository is served, so that lessons can link to exercises; -y: Ctrl-C ends it without a question.
    options = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url=/lab/tree/{START}", "-y"]
    options += ["--no-browser"] if remote or not screen else []
    options += ["--allow-root"] if os.geteuid() == 0 else []
    runtime = Path(os.environ.setdefault("JUPYTER_RUNTIME_DIR", str(VENV / "runtime")))
    # So that a terminal in JupyterLab finds `minigrad grade`.
    environment = os.environ | {"PATH": f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
    log = VENV / "lab.log"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(0))
    with open(log, "w", encoding="utf-8") as output:
        server = subprocess.Popen(
            [PYTHON, "-m", "jupyterlab", *options, *arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            url = wait_for(server, runtime / f"jpserver-{server.pid}.json")
            if not url:
                tail = "\n  ".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
                raise SetupError(f"JupyterLab did not start. Its last words:\n  {tail}")
            say(f"\nThe course is open at\n\n    {url}\n", "green")
            size = os.environ.get("MINIGRAD_SIZE", "small")
            say(f"Lessons run in their {size} size. Ctrl-C here ends the course. Messages of JupyterLab: .venv/lab.log")
            if remote:
                port = re.search(r":(\d+)/", url)
                say(f"From your own machine: ssh -L {port[1]}:localhost:{port[1]} ... first." if port else "")
            server.wait()
        except KeyboardInterrupt:
            say("\nThe course is closed. Saved notebooks are kept; `make lab` opens it again.")
        finally:
            server.terminate()
            server.wait()


def wait_for(server: subprocess.Popen, info: Path) -> str:
    """The address of the first lesson once the server answers, or "" if it ended or took two minutes."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + 120
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):
            about = json.loads(info.read_text(encoding="utf-8"))
            with direct.open(about["url"] + "api", timeout=5):
                token = f"?token={about['token']}" if about["token"] else ""
                return f"{about['url']}lab/tree/{START}{token}"
        time.sleep(0.1)
    return ""


COMMANDS = {
    "lab": lab,
    "test": test,
    "lint": lint,
    "format": reformat,
    "notebooks": notebooks,
    "install": lambda arguments: None,
}


def main() -> None:
    """Set up, then run the command."""
    if os.name == "nt":
        raise SetupError("This set-up needs a Unix: on Windows, run it inside WSL (README.md says how).")
    low, high = SUPPORTED
    if not low <= sys.version_info[:2] <= high:
        raise SetupError(
            f"minigrad needs Python {low[0]}.{low[1]} to {high[0]}.{high[1]}, and {sys.executable} is "
            f"{sys.version.split()[0]}. Name another one: make lab PYTHON=python3.12."
        )
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        raise SetupError(f"Say what to run: one of {', '.join(COMMANDS)}.")
    command, arguments = sys.argv[1], sys.argv[2:]
    if os.environ.get("MINIGRAD_DATA"):  # lessons run in another folder, where a relative path would point elsewhere
        os.environ["MINIGRAD_DATA"] = str(Path(os.environ["MINIGRAD_DATA"]).expanduser().resolve())
    with one_at_a_time():
        set_up(LEARNER if command == "lab" else AUTHOR)
    os.environ.pop("PYTHONPATH", None)
    COMMANDS[command](arguments)


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nStopped. Run the command again: it goes on from a clean state.", file=sys.stderr)
        sys.exit(130)
