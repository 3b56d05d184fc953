"""Lay out the course that comes with an installed package in a folder of the learner's: `minigrad lessons [folder]`.

A wheel contains lessons, exercises and guides in minigrad_course/course_files/. They are copied, because learners write
into them. A newer package brings newer ones: what was only run makes way, and what was written into is put aside first,
as NAME.mine.ipynb beside the new one. The folder remembers what was laid out, in `.minigrad.json`.

Lessons link to the library's files, which are laid out too, in folders whose names Python cannot import.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
AROUND = PACKAGE.parent  # where the library lies as well
# As in pyproject.toml, for the wheel.
PARTS = ("notebooks", "exercises", "project", "solutions", "docs", "benchmarks", "sources/project/engine.py")
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}
SOURCES = {"minigrad": "minigrad-source", "minigrad_course": "minigrad_course-source"}
RECORD = ".minigrad.json"
OWN = "project/mine.py"  # the learner's engine, which no newer frame replaces
UPWARDS = re.compile(r"\[([^\[\]]*)\]\((?=\.\./)([^)\s#]+)(#[^)\s]*)?\)")  # a link out of its folder


def register(commands: argparse._SubParsersAction) -> None:
    """Add `minigrad lessons` to the command line."""
    parser = commands.add_parser("lessons", help="copy lessons and exercises into a folder of your own")
    parser.add_argument("folder", nargs="?", type=Path, help="(minigrad-course)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lay out the course, and say how to go on."""
    from minigrad.guards.installation import command

    folder = bring(arguments.folder)
    print(f"Open it: {command('lab') if folder == AROUND else command('lab', str(folder))}")
    return 0


def bring(folder: Path | None) -> Path:
    """Bring the course in a folder up to date, and report that; return the folder.

    Without a name it is this folder, where the course lies in it, or minigrad-course; in a clone, the clone. Raises
    GradingError where the folder cannot be written to.
    """
    from minigrad.guards.installation import command
    from minigrad_course.grading.cells import GradingError

    if folder is None:
        here = Path() if Path(RECORD).is_file() else Path("minigrad-course")
        folder = here if (PACKAGE / "course_files").is_dir() else AROUND
    folder = folder.expanduser().resolve()
    if (folder / "minigrad" / "__init__.py").is_file():
        print(f"{folder} is a clone of the course: it is left as it is.")
        return folder
    try:
        new, aside = lay_out(folder)
    except OSError as error:
        advice = f"name a folder that you can write to: {command('lab', 'FOLDER')}"
        raise GradingError(f"the course could not be copied to {folder} ({error.strerror}); {advice}") from None
    print(f"{folder}: {new} files copied." if new else f"{folder} holds the whole course already.")
    for place in aside:
        print(f"{place} is yours, and the course has a newer one beside it now.")
    return folder


def lay_out(folder: Path) -> tuple[int, list[str]]:
    """Bring missing and newer files into `folder`; return their number, and the names of the learner's put aside.

    Raises OSError where the folder cannot be written to.
    """
    record: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError):
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    brought = {place.as_posix(): source for source, place in files()}
    before, new, aside = dict(record), 0, []
    for place, source in brought.items():
        target, data = folder / place, relinked(source.read_bytes(), place, brought)
        record[place] = essence(data, target.suffix)
        if target.exists():
            here = essence(target.read_bytes(), target.suffix)
            if record[place] in (here, before.get(place)) or place == OWN:
                continue  # it is there, or what the learner wrote into it
            if here != before.get(place):
                aside.append(put_aside(target).relative_to(folder).as_posix())
        target.parent.mkdir(parents=True, exist_ok=True)
        half = target.with_name(target.name + ".part")
        half.write_bytes(data)
        half.replace(target)
        new += 1
    for place in before.keys() - brought.keys():  # the newer course has it no more
        target = folder / place
        if target.exists() and essence(target.read_bytes(), target.suffix) == before[place]:
            target.unlink()
        del record[place]
    if record != before:
        (folder / RECORD).write_text(json.dumps(record, indent=0), encoding="utf-8")
    return new, aside


def files() -> Iterator[tuple[Path, Path]]:
    """Yield each file of the course with its place, and both packages' sources, since lessons link to them."""
    brought = PACKAGE / "course_files"
    root = brought if brought.is_dir() else AROUND
    for part in PARTS:
        for path in [root / part] if (root / part).is_file() else sorted((root / part).rglob("*")):
            if path.is_file() and not LEFT_OUT & set(path.parts):
                yield path, path.relative_to(root)
    for package, name in SOURCES.items():
        for path in sorted((AROUND / package).rglob("*.py")):
            if not path.is_relative_to(brought):
                yield path, name / path.relative_to(AROUND / package)


def relinked(data: bytes, place: str, brought: dict[str, Path]) -> bytes:
    """Return a file whose links to the packages lead to their sources; of others that lead nowhere, the words."""

    def moved(link: re.Match) -> str:
        up, package, rest = re.fullmatch(r"((?:\.\./)+)([^/]*)(.*)", link[2]).groups()  # type: ignore[union-attr]
        target = up + SOURCES.get(package, package) + rest
        path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
        copied = path in brought or any(name.startswith(f"{path}/") for name in brought)
        return f"[{link[1]}]({target}{link[3] or ''})" if copied else link[1]

    if not place.endswith((".ipynb", ".md")):
        return data
    return UPWARDS.sub(moved, data.decode()).encode()


def put_aside(path: Path) -> Path:
    """Rename a learner's file out of the way: NAME.mine.ipynb, or with a number."""
    aside, number = path.with_suffix(f".mine{path.suffix}"), 2
    while aside.exists():
        aside, number = path.with_suffix(f".mine-{number}{path.suffix}"), number + 1
    return path.rename(aside)


def essence(data: bytes, suffix: str) -> str:
    """Return a hash of a file; of a notebook, that of its cells without their outputs."""
    if suffix == ".ipynb":
        with contextlib.suppress(ValueError, KeyError, TypeError):
            cells = json.loads(data)["cells"]
            data = json.dumps([(cell["cell_type"], "".join(cell["source"])) for cell in cells]).encode()
    return hashlib.sha256(data).hexdigest()
