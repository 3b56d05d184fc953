"""Open the course in JupyterLab: `minigrad lab [folder]`, which lays it out in the folder first (see lessons.py)."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
import urllib.request
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from minigrad_course import lessons

START = "notebooks/00_start.ipynb"
SETTINGS = Path(__file__).parent / "lab_settings"  # no pop-up, no request to the outside


def register(commands: argparse._SubParsersAction) -> None:
    """Add `minigrad lab` to the command line; what it does not know is JupyterLab's."""
    parser = commands.add_parser("lab", help="open the course in JupyterLab")
    parser.add_argument("folder", nargs="?", type=Path, help="where it is, or is copied to (minigrad-course)")
    parser.add_argument("--size", choices=["small", "full"], help="of the lessons' data (small)")
    parser.add_argument("--port", help="of this machine")
    parser.add_argument("--ip", help="0.0.0.0 in a container")
    parser.set_defaults(run=run, others=[])


def run(arguments: argparse.Namespace) -> int:
    """Bring the course, start JupyterLab on the first lesson, and say where it is; ends with Ctrl-C."""
    from minigrad.guards.installation import command, install
    from minigrad_course.grading.cells import GradingError

    if importlib.util.find_spec("jupyterlab") is None:
        raise GradingError(f"the course opens in JupyterLab, which is not installed here: {install('[course]')}")
    from jupyter_core.paths import jupyter_runtime_dir

    if arguments.size:
        os.environ["MINIGRAD_SIZE"] = arguments.size
    folder, remote = lessons.bring(arguments.folder), "SSH_CONNECTION" in os.environ
    screen = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    # The whole course is served, so that lessons can link to exercises; -y: Ctrl-C ends it without a question.
    options = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{START}", "-y"]
    options += [f"--LabApp.app_settings_dir={SETTINGS}"]
    options += ["--no-browser"] if remote or not screen else []
    options += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # So that a terminal in JupyterLab finds `minigrad grade`. A login shell, its default here, would set its own PATH.
    shell = os.environ.get("SHELL", "/bin/sh")
    options += [f"--ServerApp.terminado_settings={{'shell_command': [{shell!r}]}}"] if os.name == "posix" else []
    options += [f"--{name}={value}" for name in ("port", "ip") if (value := getattr(arguments, name))]
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    runtime = Path(jupyter_runtime_dir())
    runtime.mkdir(parents=True, exist_ok=True)
    # While the first lesson is read. It stays out of the way, and ends at once where it was done before.
    prepare, no = [sys.executable, "-m", "minigrad_course.cli", "prepare"], subprocess.DEVNULL
    subprocess.Popen(prepare, stdin=no, stdout=no, stderr=no, start_new_session=True)
    print("Starting JupyterLab ...", flush=True)
    for name in ("SIGTERM", "SIGHUP"):  # Windows has only the first
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: sys.exit(0))
    log, began = runtime / "minigrad-lab.log", time.time()
    with open(log, "w", encoding="utf-8") as output:
        words = [sys.executable, "-m", "jupyterlab", *options, *arguments.others]
        environment = os.environ | {"PATH": path, "PYTHONIOENCODING": "utf-8"}  # as the log is written
        kept = f"The course is closed. Saved notebooks are kept; `{command('lab', str(folder))}` opens it again."
        server = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            url = wait_for(server, runtime, folder, began)
            if not url:
                tail = "\n  ".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
                raise GradingError(f"JupyterLab did not start. Its last words:\n  {tail}")
            print(f"\nThe course is open at\n\n    {url}\n")
            size = os.environ.get("MINIGRAD_SIZE", "small")
            print(f"Lessons run in their {size} size. Ctrl-C here ends the course. Messages of JupyterLab: {log}")
            if remote and (port := re.search(r":(\d+)/", url)):
                print(f"From your own machine: ssh -L {port[1]}:localhost:{port[1]} ... first.")
            sys.stdout.flush()
            if server.wait() not in (0, -signal.SIGTERM):
                print(f"\nJupyterLab ended by itself ({server.returncode}): {log} may say why.")
            print(kept)
        except KeyboardInterrupt:
            print(f"\n{kept}")
        finally:
            server.terminate()
            server.wait()
    return 0


def wait_for(server: subprocess.Popen, runtime: Path, folder: Path, began: float) -> str:
    """The address of the first lesson once the server answers, or "" if it ended or took two minutes."""
    deadline = time.monotonic() + 120
    while server.poll() is None and time.monotonic() < deadline:
        for info in runtime.glob("jpserver-*.json"):
            # Not by its number: on Windows the process that was started is another one's parent.
            about = answer(info) if info.stat().st_mtime >= began - 1 else None
            if about and Path(about["root_dir"]) == folder:
                return f"{about['url']}lab/tree/{START}" + (f"?token={about['token']}" if about["token"] else "")
        time.sleep(0.1)
    return ""


def answer(info: Path) -> dict | None:
    """Return a server's "url" and "token" from its jpserver-*.json, if the server answers; else None.

    One that was killed leaves its file behind. No proxy is asked: the server is on this machine. One that listens on
    all interfaces names the machine, and not every machine can look up its own name: then 127.0.0.1 is the url.
    """
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with contextlib.suppress(OSError, ValueError, KeyError):
        about = json.loads(info.read_text(encoding="utf-8"))
        url = urlsplit(about["url"])
        for place in (url.netloc, f"127.0.0.1:{url.port}"):
            address = url._replace(netloc=place).geturl()
            with contextlib.suppress(OSError, HTTPException, ValueError), direct.open(f"{address}api", timeout=5):
                return about | {"url": address}
    return None
