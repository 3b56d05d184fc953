"""Measure how long the cells of each lesson compute on a first run: .venv/bin/python tools/first_runs.py [12 13 ...]

First as at set-up: `minigrad prepare`, with a cache of its own. Then each lesson runs in its small size from a copy of
that cache, one after another, and its seconds by the clock go to sources/lessons/first_runs.json, rounded up to five.
`make notebooks` writes them where a lesson's first cell says {first run}. For authors, on a machine with two cores that
does nothing else; what is measured elsewhere is left as it was.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import wakeup
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "sources" / "lessons" / "first_runs.json"


def places(folder: Path) -> dict[str, str]:
    """The environment in which everything compiled is kept in `folder`."""
    return {"MINIGRAD_CACHE_DIR": str(folder / "minigrad"), "NUMBA_CACHE_DIR": str(folder / "numba")}


def first_run(lesson: Path, prepared: Path) -> float:
    """Seconds by the clock of all cells of a lesson, without the start of its kernel."""
    book = nbformat.read(lesson, as_version=4)
    with tempfile.TemporaryDirectory(prefix="minigrad-first-run-") as folder:
        own = Path(folder) / "cache"
        shutil.copytree(prepared, own)
        os.environ.update(places(own))  # which the kernel inherits
        client = NotebookClient(book, timeout=600, resources={"metadata": {"path": str(lesson.parent)}})
        with client.setup_kernel():
            start = time.perf_counter()
            for number, cell in enumerate(book.cells):
                client.execute_cell(cell, number)
            return time.perf_counter() - start


def main(chosen: list[str]) -> None:
    wakeup.mend()
    known = json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else {}
    os.environ["MINIGRAD_SIZE"] = "small"
    with tempfile.TemporaryDirectory(prefix="minigrad-prepared-") as folder:
        prepare = [sys.executable, "-m", "minigrad_course.cli", "prepare"]
        subprocess.run(prepare, cwd=ROOT, env={**os.environ, **places(Path(folder))}, check=True)
        for lesson in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
            if not chosen or lesson.stem.partition("_")[0] in chosen:
                seconds = first_run(lesson, Path(folder))
                known[lesson.stem] = 5 * math.ceil(seconds / 5)
                print(f"{lesson.stem:28} {seconds:6.1f} s", flush=True)
    TARGET.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
