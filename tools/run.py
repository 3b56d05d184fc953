"""The commands of the Makefile: set up .venv, then start one thing in it.

python3 tools/run.py COMMAND [arguments], where COMMAND is the name of a target in the Makefile.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, NamedTuple

from chromium import HELP, OWN, NoSuchProgram, find_chromium
from setup import HERE, PYTHON, ROOT, TRIED, VENV, SetupError, one_at_a_time, say, set_up, uv_install
from update import update


def status_of(*command: str, output: IO | None = None, **variables: str) -> int:
    """Run a module or a file of the repository in .venv, with these variables; 0 if all went well."""
    words = [PYTHON, *command] if command[0].endswith(".py") else [PYTHON, "-m", *command]
    environment, errors = os.environ | variables, output and subprocess.STDOUT
    return subprocess.run(words, cwd=ROOT, env=environment, stdout=output, stderr=errors).returncode


def run(*command: str) -> None:
    """Run a module or a file in .venv; leave with its status if it fails."""
    if status := status_of(*command):
        sys.exit(status)


def style(arguments: list[str]) -> None:
    """Style and format."""
    run("ruff", "check", *arguments)
    run("ruff", "format", "--check", *arguments)


def lint(arguments: list[str]) -> None:
    """Style, format, sizes and types."""
    style(arguments)
    run("tools/budget.py")
    run("mypy")


def reformat(arguments: list[str]) -> None:
    """Fix what can be fixed by itself."""
    run("ruff", "check", "--fix", *arguments)
    run("ruff", "format", *arguments)


class Tier(NamedTuple):
    """A part of the tests, by pytest's -m. The guide for authors has the same table; the markers stand at the tests."""

    runs: tuple[str, ...]  # the first of two goes beside the tests in a browser
    graphs: int  # random graphs of the campaign; its other amounts follow
    lessons: bool  # run each one, in its small size
    browser: str  # the part of tests/browser that runs where there is one; "" for none


QUICK = "not (slow or thorough or torch or compiled)"  # programs run in plain Python: numba's compiler is spared
TIERS = {
    "--quick": Tier((QUICK,), 500, False, ""),
    "": Tier((QUICK, "(slow or torch or compiled) and not thorough"), 1_000, True, "smoke"),
    "--all": Tier(("steady", "not steady"), 3_000, True, "smoke or not smoke"),
}
NOTHING_CHOSEN = 5  # what pytest returns when none of its tests was wanted


def test(arguments: list[str]) -> None:
    """Style, types and a tier of the tests; pytest comes last, and its status is the result."""
    tier = TIERS[next((word for word in arguments if word in TIERS), "")]
    arguments = [word for word in arguments if word not in TIERS]
    style([])
    bring_the_sandbox()
    chosen = any(Path(word.split("::")[0]).exists() for word in arguments)  # files were named: only these
    # BLAS threads on top of several processes would only get in each other's way.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("MINIGRAD_CAMPAIGN", str(tier.graphs))
    with tempfile.TemporaryDirectory() as site, tempfile.TemporaryFile("w+") as aside, ThreadPoolExecutor() as beside:
        os.environ["MINIGRAD_SITE_OF_TESTS"] = site  # for tests in and outside of the browser; the first builds it
        types = beside.submit(status_of, "mypy")  # keeps one processor busy, and the next two another
        # Without the sheets, which take longer: tests/test_exercises.py compares them. On CI a difference is a failure.
        if status_of("minigrad_course.grading.make_notebooks", "--check", "--notebooks-only"):
            if os.environ.get("CI"):
                sys.exit(1)
            say("The notebooks are not as built from sources/. Authors: `make notebooks` before you commit.", "amber")
        # A first run takes one processor, while pages mostly wait. Its output comes when all is done.
        *first, last = tier.runs
        waiting = [beside.submit(run_tests, part, False, 1, arguments, aside) for part in first]
        # The browser's tests come before all others: beside them they were sometimes too slow for their deadlines.
        in_browser = 0 if chosen or not tier.browser else test_in_browser(["-m", tier.browser, *arguments])
        if types.result():
            sys.exit(types.result())
        # One worker more than processors, since some tests wait.
        workers = processors() + 1 - sum(not run.done() for run in waiting)
        statuses = [in_browser, run_tests(last, tier.lessons, workers, arguments)]
        statuses += [run.result() for run in waiting]
        aside.seek(0)
        print(aside.read(), end="", flush=True)
        del os.environ["MINIGRAD_SITE_OF_TESTS"]
    if tier is TIERS["--all"]:
        say_what_was_not_tried()
    some = [status for status in statuses if status != NOTHING_CHOSEN]  # by -k, or by naming files
    sys.exit(next(filter(None, some), 0) if some else NOTHING_CHOSEN)


def run_tests(marked: str, lessons: bool, workers: int, arguments: list[str], output: IO | None = None) -> int:
    """Run tests outside of the browser, group by group, mostly files, so that what these share is made once."""
    spread = ["--numprocesses", str(workers), "--dist", "loadgroup", "--no-loadscope-reorder", "--ignore=tests/browser"]
    spread += ["--nbmake", "-m", marked] if lessons else ["-m", marked]
    variables = {"NUMBA_DISABLE_JIT": "1"} if marked == QUICK else {}
    return status_of("pytest", *spread, *arguments, output=output, **variables)


def bring_the_sandbox() -> None:
    """On CI's machines, which are nobody's: bubblewrap, where it can be installed without a question."""
    ours = os.environ.get("CI") and hasattr(os, "geteuid") and os.geteuid() == 0
    if ours and not shutil.which("bwrap") and shutil.which("apt-get"):
        for words in (["apt-get", "update"], ["apt-get", "install", "--yes", "bubblewrap"]):
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def say_what_was_not_tried() -> None:
    """Of grading a class, where this machine has no sandbox: then submissions were graded without one."""
    ask = "sys.path.append('class'); from minigrad_class import sandbox; sys.exit(sandbox.missing() and f'Not tried: "
    ask += "the sandbox in which a class is graded, and what only it keeps out. Why: {sandbox.missing()}.')"
    subprocess.run([PYTHON, "-c", f"import sys; {ask}"], cwd=ROOT)


def test_in_browser(arguments: list[str]) -> int:
    """The tests in a real browser; where there is none, only a word about it."""
    if not find_chromium():
        say(HELP, "amber")
        return 0
    # A server and a browser in each.
    workers = 2 if processors() > 1 else 1
    spread = ["--numprocesses", str(workers), "--dist", "loadfile"]
    return status_of("pytest", "tests/browser", *spread, *arguments)


def test_browser(arguments: list[str]) -> None:
    """Only the tests in a real browser; with --install first, into .venv, where there is none."""
    if "--install" in arguments:
        arguments = [word for word in arguments if word != "--install"]
        say("Downloading Chromium into .venv/browsers, and nothing elsewhere ...")
        os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(OWN)
        run("playwright", "install", "chromium")
    sys.exit(test_in_browser(arguments))


def processors() -> int:
    """Count the processors available to this process: fewer than the machine's in a container or a batch system."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):  # no such limit
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        count = min(count, max(1, round(int(quota) / int(period))))
    return count


def lab(arguments: list[str]) -> None:
    """Open this clone in JupyterLab (minigrad_course/lab.py)."""
    os.environ.setdefault("JUPYTER_RUNTIME_DIR", str(VENV / "runtime"))
    words = ["-m", "minigrad_course.cli", "lab", str(ROOT), *arguments]
    if os.name == "posix":  # in the place of this process, so that Ctrl-C and signals reach it
        os.execv(PYTHON, [str(PYTHON), *words])
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the other one, which ends by it
    run(*words[1:])


def bench(arguments: list[str]) -> None:
    """The benchmarks. JAX is fetched first where there is a build of it; engines that are missing are left out."""
    if subprocess.run([PYTHON, "-c", "import jax"], stderr=subprocess.DEVNULL).returncode != 0:
        say("Looking for JAX, to compare with")
        uv_install("jax", ask=True)  # if it is not to be had, the race says so
    run("benchmarks", *arguments)


def grading_a_class(arguments: list[str]) -> None:
    """Install minigrad-class from this clone; the doctor looks for the sandbox."""
    if uv_install("--no-build-isolation", "--editable", "class[dask]") is None:
        raise SetupError("minigrad-class could not be installed; uv says why above.")
    run("minigrad_course.cli", "doctor", *arguments)


def in_venv(*command: str) -> Callable[[list[str]], None]:
    """Return what runs a module or a file in .venv with the arguments."""
    return lambda arguments: run(*command, *arguments)


AUTHOR = ["course", "test", "docs"]  # extras of pyproject.toml
COMMANDS: dict[str, tuple[list[str], Callable[[list[str]], None]]] = {
    "lab": (["course"], lab),
    "test": ([*AUTHOR, "browser"], test),
    "lint": (AUTHOR, lint),
    "format": (AUTHOR, reformat),
    "notebooks": (AUTHOR, in_venv("minigrad_course.grading.make_notebooks")),
    "install": (AUTHOR, lambda arguments: None),
    "test-browser": ([*AUTHOR, "browser"], test_browser),
    "test-processors": (AUTHOR, in_venv("tools/other_processors.py")),
    "mutants": (AUTHOR, in_venv("tools/mutation.py")),
    "bench": (["course"], bench),
    "docs": (["course", "docs"], in_venv("tools/documentation.py")),
    "class": (["course"], grading_a_class),
}


def needed_for(command: str) -> list[str]:
    """Name the extras that a command needs: what drives a browser only where there is one to drive."""
    absent = command == "test" and not find_chromium()
    return [extra for extra in COMMANDS[command][0] if extra != "browser" or not absent]


def main() -> None:
    """Set up, then run the command."""
    if sys.version_info[:2] < TRIED[0]:
        needed = "{}.{}".format(*TRIED[0])
        raise SetupError(
            f"minigrad needs Python {needed} or newer, and {sys.executable} is {HERE}. "
            "Name another one: make lab PYTHON=python3.12."
        )
    command, arguments = "".join(sys.argv[1:2]), sys.argv[2:]
    if command not in (*COMMANDS, "update"):
        raise SetupError(f"Say what to run: one of {', '.join(COMMANDS)}, update.")
    if command == "update":  # which may bring a newer set-up
        return update(arguments)
    if os.environ.get("MINIGRAD_DATA"):  # lessons run in another folder, where a relative path would point elsewhere
        os.environ["MINIGRAD_DATA"] = str(Path(os.environ["MINIGRAD_DATA"]).expanduser().resolve())
    with one_at_a_time():
        set_up(needed_for(command))
    os.environ.pop("PYTHONPATH", None)
    # Set in many containers: each process would then compile numba's, SciPy's and PyTorch's sources again, for seconds.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    COMMANDS[command][1](arguments)


if __name__ == "__main__":
    try:
        main()
    except (SetupError, NoSuchProgram) as error:
        sys.exit(f"\n{error}")
    except KeyboardInterrupt:
        print("\nStopped. Run the command again: it goes on from a clean state.", file=sys.stderr)
        sys.exit(130)
