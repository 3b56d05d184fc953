"""Programs that run in a fresh Python, and what they print."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def environment(**settings):
    """This process's environment, the repository on the path; some variables changed, or gone where they are None."""
    changed = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    return {name: str(value) for name, value in changed.items() if value is not None}


def caches(folder):
    """Settings for caches of its own; what is compiled for them is compiled quickly, not well."""
    return {"MINIGRAD_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder / "numba", "NUMBA_OPT": 0}


def run(program, *arguments, cwd=ROOT, **settings):
    """Run a program, the text of one or the words behind `python`: what became of it."""
    words = ["-c", program] if isinstance(program, str) else program
    return subprocess.run(
        [sys.executable, *words, *map(str, arguments)], env=environment(**settings), cwd=cwd, capture_output=True,
        text=True, encoding="utf-8", errors="replace", timeout=600,
    )  # fmt: skip


def printed(program, *arguments, cwd=ROOT, **settings):
    """Run a program that ends well: its output."""
    done = run(program, *arguments, cwd=cwd, **settings)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
