"""Copy the course out of a package that was installed without its repository: `minigrad lessons [folder]`.

A wheel contains lessons, exercises and guides in minigrad_course/course_files/. They are copied, because learners write
into them. Existing files are never overwritten.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
AROUND = PACKAGE.parent  # where the library lies as well
# As in pyproject.toml, for the wheel.
PARTS = ("notebooks", "exercises", "project", "solutions", "docs", "benchmarks", "sources/project/engine.py")
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


def register(commands: argparse._SubParsersAction) -> None:
    """Add `minigrad lessons` to the command line."""
    parser = commands.add_parser("lessons", help="copy lessons and exercises into a folder of your own")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("minigrad-course"), help="(minigrad-course)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Copy the course, and report which files were kept and how to go on."""
    folder = arguments.folder.expanduser()
    try:
        new, kept = lay_out(folder)
    except OSError as error:
        print(f"minigrad: the course could not be copied to {folder}: {error.strerror}.")
        print("Name a folder that you can write to: minigrad lessons FOLDER")
        return 2
    print(f"{folder}: {new} files copied." if new else f"{folder} holds the whole course already.")
    if kept:
        print(
            f"{kept} files differ from the course's, because you or an older version wrote them: they were left alone."
        )
    print(f"Open it:  cd {folder}; jupyter lab notebooks/00_start.ipynb")
    return 0


def lay_out(folder: Path) -> tuple[int, int]:
    """Copy the missing files into `folder`; return the numbers of copied files, and of existing ones that differ.

    Raises OSError where the folder cannot be written to.
    """
    new = kept = 0
    for source, place in files():
        target = folder / place
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            half = target.with_name(target.name + ".part")
            shutil.copyfile(source, half)
            half.replace(target)
            new += 1
        elif target.read_bytes() != source.read_bytes():
            kept += 1
    return new, kept


def files() -> Iterator[tuple[Path, Path]]:
    """Yield each file of the course with its destination, and both packages' sources, since lessons link to them."""
    brought = PACKAGE / "course_files"
    root = brought if brought.is_dir() else AROUND
    for part in PARTS:
        yield from _below(root / part, root)
    for package in (AROUND / "minigrad", PACKAGE):
        for source, place in _below(package, AROUND):
            if source.suffix == ".py" and not source.is_relative_to(brought):
                yield source, place


def _below(folder: Path, root: Path) -> Iterator[tuple[Path, Path]]:
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.parts):
            yield path, path.relative_to(root)
