"""Brings .venv to what the course needs. tools/run.py calls it before everything that it runs.

Uses the standard library only, since nothing is installed yet. How it decides what to do: `.venv/minigrad-setup.json`
says what the last set-up finished with. Nothing to do if that still holds; an update in place if pyproject.toml,
constraints.txt or this file changed, as after `git pull`; a new .venv if the old one is half-finished or broken. A
.venv that somebody else made is installed into, and never deleted.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STATE = VENV / "minigrad-setup.json"
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
TRIED = ((3, 10), (3, 15))  # from the oldest that works to the newest that minigrad was tried with: no upper limit
OPTIONAL = {
    "pygraphviz": "graphs are shown as lines of text, or drawn by a program `dot` where there is one",
    "memray": "%%measure does not count PyTorch's arrays",
    "fsrs": "questions from earlier lessons come back by a plain rule",
}

TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
GPU_LIBRARIES = re.compile(r"(nvidia|cuda|triton)\b")


class SetupError(Exception):
    """A failed set-up, explained for the person at the keyboard."""


def say(text: str, colour: str = "") -> None:
    """Print a line, in a colour if a person is watching."""
    colours = {"amber": "\033[33m", "green": "\033[32m"}
    start = colours.get(colour, "") if sys.stdout.isatty() else ""
    print(f"{start}{text}{chr(27) + '[0m' if start else ''}", flush=True)


# ---------------------------------------------------------------- what is there


def read_state() -> dict:
    """Return the record of the last set-up; empty if it is missing or unreadable."""
    try:
        return json.loads(STATE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_state(state: dict) -> None:
    """Replace the state in one step, so that a kill leaves the old or the new one."""
    new = STATE.with_suffix(".new")
    new.write_text(json.dumps(state, indent=1), encoding="utf-8")
    new.replace(STATE)


def key(python_version: str) -> str:
    """A fingerprint of all that decides what gets installed."""
    fingerprint = hashlib.sha256(python_version.encode())
    for name in ("pyproject.toml", "constraints.txt", "tools/setup.py"):
        fingerprint.update((ROOT / name).read_bytes())
    return fingerprint.hexdigest()


def version_of(python: Path) -> str:
    """The "3.11" of an interpreter, or "" if it does not run."""
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-I", "-c", ask], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def is_newer_than_tried() -> bool:
    """Then constraints.txt has nothing to say: its versions were made before this Python."""
    return tuple(map(int, HERE.split("."))) > TRIED[1]


def site_packages() -> Path:
    """Return the folders of .venv's packages."""
    return next(iter(VENV.glob("lib/python3*/site-packages")), VENV / "lib")


def installed(site: Path) -> set[str]:
    """Names of the packages that pip considers to be there."""
    return {info.name.split("-")[0].lower() for info in site.glob("*.dist-info")}


def damaged(site: Path) -> list[str]:
    """Names of packages of which a file is missing or cut short, by the RECORD that pip writes last for each."""
    names = []
    for info in sorted(site.glob("*.dist-info")):
        try:
            with open(info / "RECORD", encoding="utf-8", newline="") as record:
                whole = all(_as_recorded(site, *row) for row in csv.reader(record) if not row[0].endswith(".pyc"))
        except OSError:
            whole = False
        if not whole:
            names.append(info.name.split("-")[0])
    return names


def _as_recorded(site: Path, path: str, _digest: str = "", size: str = "") -> bool:
    try:
        actual = os.path.getsize(os.path.join(site, path))
    except OSError:
        return False
    return not size or path.startswith("..") or actual == int(size)


def what_is_wrong(state: dict) -> str:
    """Why the .venv that is there cannot be used or updated as it is; "" if it can."""
    version = version_of(PYTHON)
    if not version:
        return "its Python does not run"
    if version != HERE:
        return f"it was made with Python {version}, and this is Python {HERE}"
    if STATE.exists() and not state.get("adopted") and not state.get("done"):
        return "the last set-up did not finish"
    if state.get("root", str(ROOT)) != str(ROOT):
        return "the folder was moved"
    bad = damaged(site_packages())
    return f"files are missing from {', '.join(bad[:4])}" if bad else ""


# ---------------------------------------------------------------- make and fill .venv


@contextlib.contextmanager
def one_at_a_time():
    """Let a second set-up in the same folder wait for the first (`make lab` and `make test` in two windows)."""
    import fcntl  # not on Windows, where main() has already said so

    folder = os.open(ROOT, os.O_RDONLY)
    os.set_inheritable(folder, True)  # a pip that outlives a killed set-up keeps the lock until it ends
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another set-up is at work in this folder; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def set_up(extras: list[str]) -> None:
    """Bring .venv to what `extras` need; does nothing if it is there already."""
    state = read_state()
    wrong = what_is_wrong(state) if VENV.exists() else "there is none yet"
    unknown = VENV.exists() and not STATE.exists() and any(VENV.iterdir())
    foreign = unknown or VENV.is_symlink() or state.get("adopted", False)
    if wrong and foreign:
        raise SetupError(
            f".venv cannot be used: {wrong}. It was not made by this set-up, which therefore leaves it alone: "
            "move it away and run the command again."
        )
    if wrong:
        if VENV.exists():
            say(f"Making .venv anew: {wrong}.")
        create()
        state = {}

    site, fingerprint = site_packages(), key(HERE)
    known = state.get("extras", [])
    complete = state.get("done") and set(extras) <= set(known) and set(state["packages"]) <= installed(site)
    if not complete or state["key"] != fingerprint:
        before, state = state, {"adopted": foreign, "root": str(ROOT)}
        write_state(state)
        try:
            install_course(sorted({*known, *extras}))
        except SetupError as error:
            if not complete or damaged(site):
                raise
            write_state(before)  # pip took back what it had begun: the old set-up still stands
            say(f"{error}\nThe update failed, so the earlier set-up is used.", "amber")
            return
        state.update(done=True, key=fingerprint, extras=sorted({*known, *extras}), torch="not tried")
        state["packages"] = sorted(installed(site))
        write_state(state)

    wish = os.environ.get("TORCH", "cpu")
    if wish not in ("cpu", "plain", "none"):
        raise SetupError(f"TORCH={wish} is not known: it is cpu (the default), plain (whatever pip finds) or none.")
    by_hand = wish != "plain" and {"torch", "torchvision"} <= installed(site)
    if state["torch"] == "installed" or by_hand or (wish == "none" and "torch" in installed(site)):
        return
    if wish != "none" and (state["torch"] in ("not tried", "not found") or wish == "plain"):
        state["torch"] = install_torch(wish)
        state["packages"] = sorted(installed(site))
        write_state(state)
    torch_notes = {
        "not found": "PyTorch is not to be had here now (the next run looks again).",
        "needs a GPU": "PyTorch: the package index offers only the build for NVIDIA cards, with gigabytes of GPU "
        "libraries. To take it nevertheless: make lab TORCH=plain.",
        "does not load": "PyTorch was installed but does not load on this machine, and was removed again.",
        "not tried": "PyTorch was left out, as you wished.",
    }
    if state["torch"] != "installed":
        say(
            f"{torch_notes[state['torch']]} The course runs without it; comparisons with PyTorch are left out.", "amber"
        )


def create() -> None:
    """Make a .venv with pip in it; raises SetupError, and leaves the old one, if that fails."""
    # Inside an activated .venv, this very Python is the one that was just deleted: take the one below it.
    base = getattr(sys, "_base_executable", None) or sys.executable
    say(f"Creating .venv with Python {sys.version.split()[0]} ({base})")
    for old in ROOT.glob(".venv.old*"):  # a kill while deleting leaves this, never half a .venv
        shutil.rmtree(old)
    old = VENV.rename(ROOT / ".venv.old") if VENV.exists() else None
    try:
        VENV.mkdir()
        write_state({"root": str(ROOT)})  # from now on it is known as ours, and as unfinished
        make_environment(base)
        install_build_tools()
    except BaseException:
        shutil.rmtree(VENV)
        if old:
            old.rename(VENV)
        raise
    if old:
        shutil.rmtree(old)


def make_environment(base: str) -> None:
    """Let the Python `base` fill the folder .venv."""
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    options = [] if has_ensurepip else ["--without-pip"]
    done = subprocess.run([base, "-m", "venv", *options, str(VENV)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0 and not has_ensurepip:  # the pip of this Python, where there is one, can fill another
        done = subprocess.run(
            [base, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"], stderr=subprocess.PIPE
        )
    if done.returncode != 0 and not has_ensurepip:
        raise SetupError(
            f"{base} cannot make a virtual environment: its ensurepip module is missing. On Debian and Ubuntu it comes "
            "with the package python3-venv (sudo apt install python3-venv); without root, use another Python: "
            "make lab PYTHON=/path/to/python3."
        )
    if done.returncode != 0:
        raise SetupError(f"{base} -m venv failed:\n{done.stdout.decode(errors='replace')}")


def clean_environment() -> dict[str, str]:
    """The environment for what runs in .venv, without settings that would mix in packages from elsewhere."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET")}


def pip(*arguments: str, quiet: bool = False) -> tuple[bool, str]:
    """Run pip in .venv; shows what it is at on one line, if a person is watching. Returns success and its output."""
    command = [str(PYTHON), "-m", "pip", *arguments, "--no-input", "--disable-pip-version-check"]
    watched = sys.stdout.isatty() and not quiet
    width = shutil.get_terminal_size().columns - 3
    lines: list[str] = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=clean_environment(),
        close_fds=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        for line in process.stdout or ():
            percent = re.match(r"Progress (\d+) of (\d+)", line)
            if not percent:
                lines.append(line.rstrip())
            if watched and lines and not lines[-1].startswith("WARNING"):
                share = f"{100 * int(percent[1]) // max(1, int(percent[2])):3d} % " if percent else ""
                print(f"\r\033[K  {share}{lines[-1].strip()}"[:width], end="", flush=True)
    if watched:
        print("\r\033[K", end="", flush=True)
    return process.returncode == 0, "\n".join(lines)


def pip_install(*arguments: str) -> tuple[bool, str]:
    """Install pinned wheels: never a compiler, never a version that was not tried."""
    # Byte-compiling 15,000 files at once takes longer than Python does for the few that are used.
    fixed = ["--only-binary", ":all:", *pins(), "--no-compile", "--progress-bar", "raw"]
    return pip("install", *fixed, *arguments)


def pins() -> list[str]:
    """Options for pip: the versions that were tried; the newest ones for a Python that is newer than these."""
    return [] if is_newer_than_tried() else ["--constraint", "constraints.txt"]


def install_build_tools() -> None:
    """They are in .venv itself, so that an update that needs nothing new needs no network either."""
    succeeded(*pip("install", "--quiet", *pins(), "pip", "hatchling", quiet=True))


def has_numba() -> bool:
    """Tell whether numba is here or can be had: it has one build for each Python and kind of machine."""
    return "numba" in installed(site_packages()) or pip_install("--dry-run", "--no-deps", "numba")[0]


# All that the course needs but numba, one a line. Runs in .venv, whose pip can read the markers of requirements.
ALL_BUT_NUMBA = """
import sys
from importlib.metadata import requires
from pip._vendor.packaging.requirements import Requirement
for need in map(Requirement, requires("minigrad-course")):
    if need.name != "numba" and any(not need.marker or need.marker.evaluate({"extra": e}) for e in ("", *sys.argv[1:])):
        need.marker = None
        print(need)
"""


def install_without_numba(extras: list[str]) -> None:
    """Install the course all the same, and say that it trains slowly."""
    succeeded(*pip_install("--no-build-isolation", "--no-deps", "--editable", "."))
    command = [str(PYTHON), "-I", "-c", ALL_BUT_NUMBA, *extras]
    needs = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    succeeded(*pip_install(*filter(None, needs)))
    oldest, newest = (f"{version[0]}.{version[1]}" for version in TRIED)
    if is_newer_than_tried():
        way_out = f"install one of Python {oldest} to {newest} beside it, and name it: make lab PYTHON=python{newest}"
    else:
        way_out = "conda may have one: conda env create --file environment.yml"
    say(
        f"numba, which compiles what the course computes, has no ready-made build for Python {HERE} on this machine "
        f"({platform.system()}, {platform.machine()}). The course runs without it, in plain Python, and trains slowly. "
        f"To have it fast, {way_out}",
        "amber",
    )


def succeeded(ok: bool, output: str) -> None:
    """Raise SetupError if pip did not succeed."""
    if not ok:
        errors = [line for line in output.splitlines() if not line.startswith("WARNING")]
        raise SetupError(
            "pip could not install the course. Its last words:\n  "
            + "\n  ".join(errors[-8:])
            + "\nIf the network was the trouble, run the same command again: what was fetched is not fetched twice."
        )


def install_course(extras: list[str]) -> None:
    """Install the package (editable) with its extras, then what not every machine can have."""
    began = time.monotonic()
    say("Installing the course into .venv: a few minutes the first time, seconds later on")
    if is_newer_than_tried():
        newest = f"{TRIED[1][0]}.{TRIED[1][1]}"
        say(f"minigrad was tried with Python up to {newest}: for {HERE} the newest packages are taken.", "amber")
    install_build_tools()
    if has_numba():
        succeeded(*pip_install("--no-build-isolation", "--editable", f".[{','.join(extras)}]"))
    else:
        install_without_numba(extras)
    if not pip_install(*OPTIONAL)[0]:
        for name, without in OPTIONAL.items():
            if not pip_install(name)[0]:
                say(f"{name}: no ready-made build for this machine; the set-up goes on ({without}).", "amber")
    settings = VENV / "share" / "jupyter" / "lab" / "settings"
    settings.mkdir(parents=True, exist_ok=True)
    quiet = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
    (settings / "overrides.json").write_text(
        json.dumps(quiet), encoding="utf-8"
    )  # no pop-up, no request to the outside
    say(f"  done in {time.monotonic() - began:.0f} s")


def install_torch(wish: str) -> str:
    """Look for PyTorch's CPU build, then for what the configured index has; returns a word for the state file."""
    began = time.monotonic()
    say("Looking for PyTorch (CPU)")
    tried = dict(
        re.findall(r"^(torch|torchvision)==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    )

    def from_cpu_index(name: str) -> bool:
        # An index that cannot be reached must cost seconds, not pip's usual minutes.
        hurry = ["--timeout", "10", "--retries", "0", "--index-url", TORCH_CPU_INDEX]
        wanted = name if is_newer_than_tried() else f"{name}=={tried[name]}+cpu"
        return sys.platform == "linux" and pip_install("--no-deps", *hurry, wanted)[0]

    if wish == "plain" or not from_cpu_index("torch"):
        report = VENV / "torch-report.json"  # what the configured index offers, seen before anything large is fetched
        look = ["--dry-run", "--no-deps", "--use-feature", "fast-deps", "--report", str(report)]
        if not pip_install(*look, "--timeout", "10", "--retries", "0", "torch")[0]:
            return "not found"
        offers = json.loads(report.read_text(encoding="utf-8"))["install"]
        needs = [need for offer in offers for need in offer["metadata"].get("requires_dist", [])]
        if wish != "plain" and sys.platform == "linux" and any(GPU_LIBRARIES.match(need) for need in needs):
            return "needs a GPU"
    # By now torch is there without its own needs, or the plain one is known to be acceptable.
    if not pip_install("torch")[0]:
        return "not found"
    loads = subprocess.run([PYTHON, "-c", "import torch"], env=clean_environment(), stderr=subprocess.DEVNULL)
    if loads.returncode != 0:
        pip("uninstall", "--yes", "torch")
        return "does not load"
    # Without its needs: torchvision names a torch of its own; pillow and numpy are here already.
    if not from_cpu_index("torchvision") and not pip_install("--no-deps", "torchvision")[0]:
        return "not found"
    say(f"  done in {time.monotonic() - began:.0f} s")
    return "installed"
