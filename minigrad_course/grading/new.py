"""For authors, a new exercise: `python -m minigrad_course.grading.new 06_higher_derivatives "Curvature, for a song"`.

It copies sources/templates/exercise, a whole exercise that passes all checks, fills in number and title, and builds
it. Then replace its tasks by your own. Nothing is overwritten, and nothing is left half-made.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.make_notebooks import build_exercise, write

TEMPLATE = Path("sources") / "templates" / "exercise"


def make(root: Path, name: str, title: str) -> list[Path]:
    """Make and build the exercise `name`, such as 06_higher_derivatives, in the repository `root`.

    Returns the files made, as paths from the root. Raises GradingError, in a sentence, and makes nothing, where the
    name is not one, is taken, or there is no template.
    """
    if not re.fullmatch(r"\d\d_[a-z0-9_]+", name):
        raise GradingError(f"{name!r} is no name for an exercise: two digits and small letters, as in 06_two_words")
    if not title.strip() or not title.isprintable():
        raise GradingError("the title has to be one line of text")
    if not (root / TEMPLATE / "exercise.py").is_file():
        raise GradingError(f"there is no {TEMPLATE} in {root}: go to the repository's folder, or name it with --root")
    number = name[:2]
    rooms = [root / room / name for room in ("sources/exercises", "exercises", "solutions")]
    taken = [room for room in rooms if room.exists()]
    taken += [path for path in (root / "sources" / "exercises").glob(f"{number}_*") if path not in taken]
    if taken:
        raise GradingError(f"{taken[0].relative_to(root)} is there already: choose another number")

    source = rooms[0]
    source.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=source.parent, prefix=".new-") as folder:
        made = Path(folder) / name
        shutil.copytree(root / TEMPLATE, made, ignore=shutil.ignore_patterns("__pycache__"))
        text = (made / "exercise.py").read_text(encoding="utf-8")
        text = re.sub(r"^# This is the template.*?\n(?=\n)", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
        text = text.replace("Exercise NN · TITLE", f"Exercise {int(number)} · {title.strip()}").replace("NN", number)
        (made / "exercise.py").write_text(text, encoding="utf-8", newline="\n")
        built = build_exercise(made / "exercise.py")
        made.rename(source)
    return sorted(path.relative_to(root) for path in source.rglob("*.py")) + write(root, built)


def main(arguments: list[str] | None = None) -> int:
    """Make an exercise: 0 when it is made, 1 when it could not be."""
    parser = argparse.ArgumentParser(prog="python -m minigrad_course.grading.new", description=__doc__.split("\n")[0])
    parser.add_argument("name", help="number and name, such as 06_higher_derivatives")
    parser.add_argument("title", nargs="?", default="", help="what stands above it (default: its name)")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository (default: this folder)")
    options = parser.parse_args(arguments)
    title = options.title or options.name[3:].replace("_", " ").capitalize()
    try:
        for path in make(options.root, options.name, title):
            print(f"wrote {path}")
    except GradingError as error:
        print(f"new: {error}", file=sys.stderr)
        return 1
    number = options.name[:2]
    print(
        f"\nIt passes all checks as it is. Now write your own tasks in sources/exercises/{options.name}/exercise.py,\n"
        f"and wrong answers in the table beside it, wrong.py, and look now and then:\n\n"
        f"    python -m minigrad_course.grading.review {number}  # what each wrong answer loses, the hint it meets\n"
        f"    make notebooks                          # build it\n\n"
        "Then link it from the README and from the map in sources/lessons/00_start.py."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
