"""Brings .venv to what the course needs. tools/run.py calls it before everything that it runs.

Uses the standard library only, since nothing is installed yet: Python makes .venv, pip fetches uv into it, and uv the
rest. `.venv/minigrad-setup.json` says what the last set-up finished with. Nothing to do if that still holds; an update
in place if pyproject.toml, constraints.txt or this file changed, as after `git pull`; a new .venv if the old one is
broken. A .venv that somebody else made is installed into, and never deleted.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import functools
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN, EXE = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
PYTHON, UV = VENV / BIN / f"python{EXE}", VENV / BIN / f"uv{EXE}"
SITE = "Lib/site-packages" if os.name == "nt" else "lib/python3*/site-packages"
STATE = VENV / "minigrad-setup.json"
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
TRIED = ((3, 10), (3, 15))  # from the oldest that works to the newest that minigrad was tried with: no upper limit
OPTIONAL = {
    "pygraphviz": "graphs are shown as lines of text, or drawn by a program `dot` where there is one",
    "memray": "%%measure does not count PyTorch's arrays",
    "fsrs": "questions from earlier lessons come back by a plain rule",
}
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
TORCH_NOTES = {
    "not found": "PyTorch is not to be had here now (the next run looks again).",
    "needs a GPU": "PyTorch: the package index offers only the build for NVIDIA cards, with gigabytes of GPU "
    "libraries. To take it nevertheless: make lab TORCH=plain.",
    "does not load": "PyTorch was installed but does not load on this machine, and was removed again.",
    "not tried": "PyTorch was left out, as you wished.",
}
# uv reads no pip.conf: what pip is configured to use goes into uv's environment, and into no file.
FROM_PIP = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "find-links": "UV_FIND_LINKS"}
FROM_PIP |= {
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
WORDS = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}  # what a program says, kept and not shown
HURRY = {"UV_HTTP_TIMEOUT": "10", "UV_HTTP_RETRIES": "0"}  # an index that cannot be reached must cost seconds


class SetupError(Exception):
    """A failed set-up, explained for the person at the keyboard."""


def say(text: str, colour: str = "") -> None:
    """Print a line, in a colour if a person is watching."""
    start = {"amber": "\033[33m", "green": "\033[32m"}.get(colour) if sys.stdout.isatty() else None
    print(f"{start}{text}\033[0m" if start else text, flush=True)


def recorded() -> dict:
    """Return the record of the last set-up; empty if it is missing or unreadable."""
    with contextlib.suppress(OSError, ValueError):
        return json.loads(STATE.read_text(encoding="utf-8"))
    return {}


def record(state: dict) -> None:
    """Write down what there is now."""
    STATE.write_text(json.dumps(state | {"packages": sorted(installed())}, indent=1), encoding="utf-8")


def fingerprint() -> str:
    """Return a hash of all that decides what gets installed."""
    files = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt", "tools/setup.py")]
    return hashlib.sha256(b"".join(files)).hexdigest()


def installed() -> set[str]:
    """Name the packages of .venv."""
    return {info.name.split("-")[0].lower() for info in VENV.glob(f"{SITE}/*.dist-info")}


def damaged() -> list[str]:
    """Name the packages of which a file is missing or cut short, by the RECORD that is written last for each."""
    names = []
    for info in sorted(VENV.glob(f"{SITE}/*.dist-info")):
        try:
            with open(info / "RECORD", encoding="utf-8", newline="") as record:
                rows = [row for row in csv.reader(record) if not row[0].endswith(".pyc")]
            sizes = [(os.path.getsize(info.parent / path), size) for path, _, size in rows if path[:2] != ".."]
            whole = all(not size or actual == int(size) for actual, size in sizes)
        except OSError:
            whole = False
        names += [] if whole else [info.name.split("-")[0]]
    return names


def fault_of(state: dict) -> str:
    """Say why the .venv that is there cannot be used or updated; "" if it can."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        version = subprocess.run([PYTHON, "-I", "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "its Python does not run"
    if version != HERE:
        return f"it was made with Python {version}, and this is Python {HERE}"
    if state.get("root", str(ROOT)) != str(ROOT):
        return "the folder was moved"
    names = damaged()
    return f"files are missing from {', '.join(names[:4])}" if names else ""


@contextlib.contextmanager
def one_at_a_time():
    """Let a second set-up in the same folder wait for the first (`make lab` and `make test` in two windows)."""
    try:
        import fcntl
    except ImportError:  # Windows has none: there uv alone waits for another uv
        yield
        return
    with open(ROOT / "pyproject.toml", "rb") as file:
        os.set_inheritable(file.fileno(), True)  # a uv that outlives a killed set-up keeps the lock until it ends
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another set-up is at work in this folder; waiting for it ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def set_up(extras: list[str]) -> None:
    """Bring .venv to what `extras` need; does nothing if it is there already."""
    state = recorded()
    foreign = state.get("foreign", VENV.is_symlink() or (VENV.exists() and not STATE.exists() and any(VENV.iterdir())))
    if fault := fault_of(state) if VENV.exists() else "there is none yet":
        if foreign:
            raise SetupError(
                f".venv cannot be used: {fault}. It was not made by this set-up, which therefore leaves it alone: "
                "move it away and run the command again."
            )
        state, names = {}, damaged()
        create(fault)
        if names:  # files of .venv are those of uv's cache
            uv("cache", "clean", *names, ask=True)

    wanted = sorted({*state.get("extras", []), *extras})
    complete = wanted == state.get("extras") and {*state["packages"]} <= installed()
    if not complete or state["key"] != fingerprint():
        try:
            install_course(wanted)
        except SetupError as error:
            if not complete or damaged():
                raise
            say(f"{error}\nThe update failed, so the earlier set-up is used.", "amber")
            return
        state = {"root": str(ROOT), "foreign": foreign, "key": fingerprint(), "extras": wanted, "torch": "not tried"}
        record(state)

    wish = os.environ.get("TORCH", "cpu")
    if wish not in ("cpu", "plain", "none"):
        raise SetupError(f"TORCH={wish} is not known: it is cpu (the default), plain (whatever there is) or none.")
    if state["torch"] == "installed" or (wish != "plain" and "torch" in installed()):
        return
    if wish == "plain" or (wish == "cpu" and state["torch"] in ("not tried", "not found")):
        state["torch"] = install_torch(wish)
        record(state)
    if state["torch"] != "installed":
        note = TORCH_NOTES[state["torch"]]
        say(f"{note} The course runs without it; comparisons with PyTorch are left out.", "amber")


def create(reason: str) -> None:
    """Make a .venv with uv in it; raises SetupError, and leaves the old one, if that fails."""
    # Inside an activated .venv, this very Python is the one that is moved away: take the one below it.
    base, aside = getattr(sys, "_base_executable", "") or sys.executable, ROOT / ".venv.old"
    say(f"Making .venv ({reason}) with Python {sys.version.split()[0]} ({base})")
    shutil.rmtree(aside, ignore_errors=True)
    if VENV.exists():
        VENV.rename(aside)
    try:
        VENV.mkdir()
        record({"root": str(ROOT)})  # from now on it is known as made here
        must(base, "-m", "venv", str(VENV))
        fetch_uv()
    except BaseException:
        shutil.rmtree(VENV)
        if aside.exists():
            aside.rename(VENV)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def fetch_uv() -> None:
    """Let pip fetch uv."""
    must(str(PYTHON), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *pins(), "uv")


def must(*command: str) -> None:
    """Run a program. Raises SetupError with its last words if it fails."""
    done = subprocess.run(command, cwd=ROOT, env=environment(), text=True, **WORDS)
    if done.returncode:
        words = "\n  ".join([line for line in done.stdout.splitlines() if "WARNING" not in line][-8:])
        raise SetupError(f"{' '.join(command[:3])} failed. Its last words:\n  {words}\n{AGAIN}")


AGAIN = """If the network was the trouble, run the same command again: what was fetched is not fetched twice. If venv is
missing (on Debian it is the package python3-venv), another Python may have it: make lab PYTHON=/path/to/python3."""


def environment() -> dict[str, str]:
    """Return the environment for what runs in .venv, without settings that would mix in packages from elsewhere."""
    mixing = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "UV_SYSTEM_PYTHON")
    return {name: value for name, value in os.environ.items() if name not in mixing}


@functools.cache
def environment_of_uv() -> dict[str, str]:
    """Return the environment for uv, which shall look for packages where pip is configured to."""
    settings = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip does: the best version of all indexes
    command = [PYTHON, "-m", "pip", "config", "list"]
    lines = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, text=True).stdout.splitlines()
    for line in sorted(lines, key=lambda line: (line.startswith(":env:"), line)):  # later ones win: pip's order
        match = re.fullmatch(r"(?:global|install|:env:)\.([\w-]+)=(.*)", line)
        if name := FROM_PIP.get(match[1]) if match else None:
            settings[name] = ("," if name == "UV_FIND_LINKS" else " ").join(ast.literal_eval(match[2]).split())
    return settings | environment()


def uv(*words: str, ask: bool = False, **variables: str) -> str | None:
    """Run uv. Returns what it said if it succeeded, else None; what it says is shown, unless that is only asked for."""
    options = {"cwd": ROOT, "env": environment_of_uv() | variables, "close_fds": False, "text": True}
    done = subprocess.run([UV, *words], **options, **(WORDS if ask else {}))
    return None if done.returncode else done.stdout or ""


def pins() -> list[str]:
    """Return options: the versions that were tried; none, and so the newest, for a Python that is newer than these."""
    return [] if tuple(map(int, HERE.split("."))) > TRIED[1] else ["--constraint", "constraints.txt"]


def uv_install(*words: str, ask: bool = False, **variables: str) -> str | None:
    """Install pinned wheels, and never compile: from uv's cache if all is there."""
    words = ("pip", "install", "--python", str(PYTHON), "--only-binary", ":all:", *pins(), *words)
    offline = uv(*words, "--offline", ask=True) if pins() else None
    return uv(*words, ask=ask, **variables) if offline is None else offline


def install_course(extras: list[str]) -> None:
    """Install the package (editable) with its extras, then what not every machine can have."""
    newest = f"{TRIED[1][0]}.{TRIED[1][1]}"
    say("Installing the course into .venv: minutes the first time, seconds later on")
    if not pins():
        say(f"minigrad was tried with Python up to {newest}: for {HERE} the newest packages are taken.", "amber")
    if not UV.exists():
        fetch_uv()
    words = ["--no-build-isolation", "--editable", f".[{','.join(extras)}]"]
    if uv_install("--dry-run", "--no-deps", "numba", ask=True) is None:  # it has a build for each Python and machine
        (VENV / "without.txt").write_text("numba\n", encoding="utf-8")
        words += ["--excludes", str(VENV / "without.txt")]
    if uv_install("uv", "hatchling", "hatch-fancy-pypi-readme", ask=True) is None or uv_install(*words) is None:
        raise SetupError(f"The course could not be installed; uv says why above.\n{AGAIN}")
    if "--excludes" in words:
        here = f"Python {HERE} on this machine ({platform.system()}, {platform.machine()})"
        way_out = "conda may have one: conda env create --file environment.yml"
        if not pins():
            way_out = f"install Python {newest} or older beside it, and name it: make lab PYTHON=python{newest}"
        say(f"numba, which compiles what the course computes, has no ready-made build for {here}. ", "amber")
        say(f"The course runs without it, in plain Python, and trains slowly. To have it fast, {way_out}", "amber")
    for name, without in OPTIONAL.items():
        if uv_install(name, ask=True) is None:
            say(f"{name}: no ready-made build for this machine; the set-up goes on ({without}).", "amber")


def install_torch(wish: str) -> str:
    """Install PyTorch's CPU build, or else what the configured index has; returns a word for the record."""
    say("Looking for PyTorch (CPU)")
    of_cpu = ["--default-index", TORCH_CPU_INDEX] if (wish, sys.platform) == ("cpu", "linux") else []
    if not of_cpu or uv_install(*of_cpu, "--no-deps", "--dry-run", "torch", ask=True, **HURRY) is None:
        offer = uv_install("--dry-run", "torch", ask=True, **HURRY)  # seen before anything large is fetched
        if offer is None:
            return "not found"
        if of_cpu and re.search(r"\+ (nvidia|cuda|triton)\b", offer):
            return "needs a GPU"
        of_cpu = []
    # First without what it needs: that other index has not all of it.
    if any(uv_install(*words) is None for words in (["--no-deps", *of_cpu, "torch"], ["torch"])):
        return "not found"
    if subprocess.run([PYTHON, "-c", "import torch"], env=environment(), stderr=subprocess.DEVNULL).returncode:
        uv("pip", "uninstall", "--python", str(PYTHON), "torch")
        return "does not load"
    return "installed"
