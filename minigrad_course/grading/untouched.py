"""The files of a course as they are handed out, whatever has been written into them since: for all that packs them.

Instructors work in exercises, lessons and the project too. So their answers, outputs, engines and notes lie where the
course is packed from (`minigrad class course` and `release`, the wheel, the source archive). What is packed:

    exercises/<id>/<id>.ipynb   solutions/<id>/<id>.ipynb without solutions, hidden tests and outputs
    project/mine.py             the empty frame, cut from sources/project/engine.py
    other notebooks             as committed last; without git as they are, less their outputs
    any other file              as it is

It needs Python alone: the wheel's build hook (tools/course_in_wheel.py) loads it where nothing is installed.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from minigrad_course.grading.cells import (
    HIDDEN,
    SOLUTION,
    GradingError,
    Notebook,
    fingerprint,
    grade_id,
    parse,
    release,
)

WORKED_IN = ("exercises", "notebooks", "project")
CELL = {"nbgrader", "tags", "slideshow", "jupyter", "minigrad", "deletable", "editable"}  # metadata that authors write
LEFT_BEHIND = re.compile(r"mine[._].+\.(py|html)|mine\.html|feedback\.html|.*\.part|\..*")


def untouched(root: Path, place: Path) -> bytes | None:
    """A file of the course, by its path from `root` on, as it is handed out; None if it is no part of the course.

    Raises GradingError where that cannot be known.
    """
    data = (root / place).read_bytes()
    if place.parts[0] not in WORKED_IN:
        return data
    if place == Path("project/mine.py"):
        return _frame(root, place, data)
    if place.suffix == ".ipynb":
        data = _notebook(root, place) or b""
        if any(marker.encode() in data for marker in (SOLUTION[0], HIDDEN[0])):
            raise GradingError(f"{root / place} holds solutions or hidden tests: make notebooks")
        return data or None
    return None if LEFT_BEHIND.fullmatch(place.name) else data


def differing(root: Path, places: list[Path]) -> list[Path]:
    """Those of the files that hold something of somebody's own, or are no part of the course."""
    return [place for place in places if untouched(root, place) != (root / place).read_bytes()]


def tracked(root: Path) -> list[Path] | None:
    """The files that git knows, as paths from `root` on; None where there is no repository, or no git."""
    names = _git(root, "ls-files", "-z", "--cached") if (root / ".git").exists() else None
    return None if names is None else [Path(name) for name in names.decode().split("\0") if name]


def _frame(root: Path, place: Path, data: bytes) -> bytes:
    from minigrad_course.project.engine_states import ENGINE, state

    if (root / ENGINE).is_file():
        return state((root / ENGINE).read_text(encoding="utf-8"), 0).encode()
    committed = _committed(root, place)
    if committed is None and re.search(rb"^(class|def)\b", data, re.MULTILINE):
        raise GradingError(
            f"{root / place} is somebody's own engine, and {ENGINE}, of which an empty one is cut, is not there"
        )
    return data if committed is None else committed


def _notebook(root: Path, place: Path) -> bytes | None:
    if place.parts[0] == "exercises":
        if place != Path("exercises", place.stem, place.name):
            return None  # a copy, or something to try out
        full = root / "solutions" / place.stem / place.name
        if full.is_file():
            return _dumps(release(_read(full, full.read_bytes())))
    elif (
        len(place.parts) != 2
        or place.name.endswith(".mine.ipynb")
        or ".mine-" in place.name
        or ((root / "sources").is_dir() and not _source(root, place).is_file())
    ):
        return None
    committed = _committed(root, place)
    notebook = _read(root / place, committed or (root / place).read_bytes())
    if committed is None and place.parts[0] == "exercises" and _is_started(root, place, notebook):
        raise GradingError(
            f"{root / place} is not as it was built, and no git knows how it was: make notebooks ARGS=--force"
        )
    return _dumps(notebook)


def _is_started(root: Path, place: Path, notebook: Notebook) -> bool:
    """Tell by an exercise's sheet whether somebody has written an answer."""
    empty = json.loads((root / place).with_name("tests.json").read_text(encoding="utf-8")).get("empty", {})
    sources = {grade_id(cell): cell["source"] for cell in notebook["cells"]}
    return any(fingerprint(sources[name]) != print_ for name, print_ in empty.items() if name in sources)


def _source(root: Path, place: Path) -> Path:
    """The text that a lesson, or the project's notebook, is built from."""
    return root / "sources" / ("project" if place.parts[0] == "project" else "lessons") / f"{place.stem}.py"


def _read(path: Path, data: bytes) -> Notebook:
    """A notebook without outputs, and without what programs have noted in its metadata."""
    try:
        notebook = parse(data.decode("utf-8-sig"))
        for cell in notebook["cells"]:
            cell["metadata"] = {key: value for key, value in cell["metadata"].items() if key in CELL}
            if cell["source"].startswith("## Further"):
                cell["metadata"]["jp-MarkdownHeadingCollapsed"] = True  # folded, whatever somebody has unfolded
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
        about = {key: notebook["metadata"].get(key) for key in ("kernelspec", "minigrad", "license")}
    except (ValueError, KeyError):
        raise GradingError(f"{path} is not a notebook that can be read") from None
    about["language_info"] = {"name": "python"}
    notebook["metadata"] = {key: value for key, value in about.items() if value}
    return notebook


def _dumps(notebook: Notebook) -> bytes:
    """A notebook as nbformat writes it."""
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True, separators=(",", ": "))
    return f"{text}\n".encode()


def _committed(root: Path, place: Path) -> bytes | None:
    return _git(root, "show", f"HEAD:./{place.as_posix()}") if (root / ".git").exists() else None


def _git(root: Path, *words: str) -> bytes | None:
    try:
        return subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return None
