"""Find a Chromium for the tests in a browser, without installing one.

The standard library alone, because tools/run.py asks before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OWN = Path(__file__).resolve().parent.parent / ".venv" / "browsers"  # what `make test-browser CHROMIUM=install` fills
HELP = (
    "No Chromium was found, so the tests in a browser are skipped. Install Chromium or Chrome, name one "
    "(MINIGRAD_CHROMIUM=/path/to/chromium), or run `make test-browser CHROMIUM=install`, which downloads one into "
    ".venv/browsers (about 300 MB on disk) and nothing elsewhere."
)


class NoSuchProgram(FileNotFoundError):
    """MINIGRAD_CHROMIUM names what is no program."""


def find_chromium() -> str | None:
    """The program: what MINIGRAD_CHROMIUM names, else the system's, else one that playwright downloaded.

    Raises NoSuchProgram if MINIGRAD_CHROMIUM names what cannot be run.
    """
    if named := os.environ.get("MINIGRAD_CHROMIUM"):
        if path := shutil.which(os.path.expanduser(named)):
            return path
        raise NoSuchProgram(f"MINIGRAD_CHROMIUM={named}: there is no program to run at this place")
    for name in PROGRAMS:
        if path := shutil.which(name):
            return path
    return next((str(path) for folder in _downloads() for path in _programs(folder)), None)


def _programs(folder: Path) -> list[Path]:
    """The Chromiums below a folder that playwright filled, the latest first."""
    names = ("chrome", "Chromium", "chrome-headless-shell", "headless_shell")
    paths = [path for name in names for path in folder.glob(f"chromium*-*/**/{name}")]
    return sorted((path for path in paths if path.is_file() and os.access(path, os.X_OK)), reverse=True)


def _downloads() -> list[Path]:
    """The folders that playwright downloads browsers into."""
    folders = [OWN]
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        folders.append(Path(named))
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return [*folders, Path.home() / caches / "ms-playwright"]
