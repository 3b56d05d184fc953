"""Brings the newest course, and loses nothing that a learner wrote: `make update`.

`git pull` alone stops as soon as a lesson that was run, or an exercise with answers, is one that changed. Here such a
notebook is put aside first, as NAME.mine.ipynb beside the new one; one that was only run makes way.
"""

from __future__ import annotations

import subprocess
import sys

from setup import ROOT, VENV, SetupError, say

sys.path.append(str(ROOT))
from minigrad_course import lab, lessons


def update(arguments: list[str]) -> None:
    """Fetch, put aside what is in the way, and go on to the newest version. Raises SetupError where that cannot be."""
    if not (ROOT / ".git").exists():
        raise SetupError("This folder is no clone made by git: fetch the new course beside it, and copy your answers.")
    if is_open():
        raise SetupError("The course is open: save, close it with Ctrl-C where `make lab` runs, and try again.")
    git("fetch", "--quiet")
    new = git("rev-parse", "--short", "@{upstream}").strip()
    ahead, behind = git("rev-list", "--left-right", "--count", "HEAD...@{upstream}").split()
    if behind == "0":
        say("The course is the newest already.")
        return
    if ahead != "0":  # nothing has been moved yet
        raise SetupError(f"This clone has commits of its own ({ahead}). Bring both together: git pull --rebase")
    theirs = set(git("diff", "--name-only", "--no-renames", "-z", "HEAD", "@{upstream}").split("\0"))
    changed = set(git("diff", "--name-only", "--diff-filter=M", "-z", "HEAD").split("\0"))
    for name in sorted(theirs & changed - {""}):
        put_aside(name)
    git("merge", "--quiet", "--ff-only", "@{upstream}")
    say(f"The course is at {new} now; CHANGELOG.md says what is new. `make lab` opens it.", "green")


def put_aside(name: str) -> None:
    """Take a changed file out of the way; keep it beside, unless it is a notebook that was only run."""
    path = ROOT / name
    here, before = path.read_bytes(), git("show", f"HEAD:{name}").encode()
    if lessons.essence(here, path.suffix) != lessons.essence(before, path.suffix):
        kept = lessons.put_aside(path)
        say(f"{name} has changed, and so had you: yours is {kept.name} now, beside it.", "amber")
    git("checkout", "--quiet", "HEAD", "--", name)


def is_open() -> bool:
    """Tell whether a JupyterLab started by `make lab` is running."""
    return any(lab.answer(info) for info in (VENV / "runtime").glob("jpserver-*.json"))


def git(*words: str) -> str:
    """Return git's output. Raises SetupError with its error message."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise SetupError("git is not installed, and the newest course comes by git.") from None
    if done.returncode != 0:
        raise SetupError(f"git {words[0]} did not go through:\n{done.stderr.strip()}")
    return done.stdout
