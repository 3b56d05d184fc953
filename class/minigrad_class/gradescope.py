"""An exercise as an autograder for Gradescope: a zip that its container unpacks, and the program that runs there.

    minigrad class gradescope 05            writes the zip
    python -m minigrad_class.gradescope /autograder    what the container runs for each submission

The zip has setup.sh and run_autograder at its top, as Gradescope asks for, the packages, and the exercise with its
solutions. The container is one submission's alone, and has solutions and results in it; so the submission runs in a
sandbox where that can be had, and else, since the container's user is root, as a user who owns nothing (sandbox.py).
results.json is written when all of that user's processes have ended.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import io
import json
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

from minigrad_class import packing, sandbox
from minigrad_class.assignment import Assignment
from minigrad_class.marks import Mark, Submission, make_marks
from minigrad_class.notebook_reader import Reader, reader_for
from minigrad_class.store import Store
from minigrad_class.supervise import grade_job
from minigrad_course.grading.cells import GradingError
from minigrad_course.grading.whole_files import write_whole
from minigrad_course.isolation import scratch
from minigrad_course.isolation.limits import Limits, package_folders

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, when it builds the container.
set -euo pipefail
apt-get update
apt-get install --yes python3 python3-venv bubblewrap graphviz
python3 -m venv /opt/minigrad
/opt/minigrad/bin/pip install --no-cache-dir --requirement /autograder/source/requirements.txt
cp -r /autograder/source/packages /opt/minigrad/packages
chmod -R a+rX /opt/minigrad
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope runs this for each submission. Solutions, what is handed in, and results are closed to whoever runs it.
set -euo pipefail
mkdir -p /autograder/results
chmod 700 /autograder/source /autograder/submission /autograder/results
cd /
exec env PYTHONPATH=/opt/minigrad/packages PYTHONDONTWRITEBYTECODE=1 \\
    /opt/minigrad/bin/python -m minigrad_class.gradescope /autograder
"""
LEFT_OUT = {"jupyterlab", "anywidget", "tqdm"}  # of the course's packages: nothing is shown there
MOST_NOTEBOOKS = 20


def pack(assignment: Assignment, target: Path) -> int:
    """Write the autograder of an exercise, closed to others, since it holds the solutions; its size in bytes."""
    contents: dict[str, tuple[bytes, int]] = {
        "setup.sh": (SETUP.encode(), 0o755),
        "run_autograder": (RUN.encode(), 0o755),
    }
    contents["requirements.txt"] = "\n".join([*requirements(assignment.course), ""]).encode(), 0o644
    for package in package_folders():
        for path in sorted(package.rglob("*")):
            parts = path.relative_to(package.parent).parts
            if path.is_file() and not {"__pycache__", "course_files"} & set(parts):
                contents["/".join(("packages", *parts))] = path.read_bytes(), 0o644
    for folder in ("exercises", "solutions"):
        for path in sorted((assignment.course / folder / assignment.id).rglob("*")):
            if path.is_file() and not packing.is_left_behind(path.name):
                contents[f"course/{path.relative_to(assignment.course).as_posix()}"] = path.read_bytes(), 0o644
    contents["course/exercise"] = assignment.id.encode(), 0o644
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, mode) in contents.items():
            about = zipfile.ZipInfo(name)  # without times: the same files make the same zip
            about.external_attr, about.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(about, data)
    write_whole(target, content.getvalue())
    return len(content.getvalue())


def requirements(course: Path) -> list[str]:
    """The packages of the container: those that a learner has, in the versions of constraints.txt."""
    from packaging.requirements import Requirement

    every = [Requirement(line) for line in importlib.metadata.requires("minigrad-course") or ()]
    wanted = [one for one in every if not one.marker or one.marker.evaluate({"extra": "course"})]
    pinned = {}
    if (path := course / "constraints.txt").exists():
        lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
        pinned = {line.partition("==")[0]: line for line in lines if "==" in line and ";" not in line}
    names = sorted({one.name for one in wanted} - LEFT_OUT)
    return [
        pinned.get(name) or next(f"{one.name}{one.specifier}" for one in wanted if one.name == name) for name in names
    ]


def read(root: Path, assignment: Assignment) -> Submission:
    """Read what is in root/submission. Raises GradingError with a sentence for whoever handed it in."""
    with reader_for([assignment]) as reader:
        path = find(reader, root / "submission", assignment.id)
        repaired = reader.repaired(path, assignment.id)
    return Submission("submission", path, repaired, assignment.key(repaired))


def grade(root: Path, assignment: Assignment, submission: Submission, limits: Limits) -> Mark:
    """Grade it. Raises GradingError where it cannot be graded here, which is no fault of whoever handed it in."""
    assert submission.repaired is not None
    with scratch.folder("results") as folder:
        store = Store(folder)
        walled = not sandbox.missing()
        store.put(grade_job(assignment.job(submission.repaired, limits, walled, (root / "results", root / "source"))))
        (mark,) = make_marks(assignment, [submission], store)
    return mark


def find(reader: Reader, folder: Path, exercise: str) -> Path:
    """The exercise's notebook among what was handed in. Raises GradingError where there is none, or several."""
    notebooks = [path for path in sorted(folder.rglob("*.ipynb")) if path.is_file() and not path.is_symlink()]
    notebooks = [path for path in notebooks if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not notebooks:
        raise GradingError(f"No notebook was handed in: upload {exercise}.ipynb.")
    fitting = []
    for path in notebooks[:MOST_NOTEBOOKS]:
        name, cells = reader.look(path)
        if name == exercise or cells.get(exercise):
            fitting.append(path)
    if len(fitting) > 1:
        names = ", ".join(path.relative_to(folder).as_posix() for path in fitting)
        raise GradingError(f"Several notebooks of {exercise} were handed in: {names}. Upload the one that counts.")
    if not fitting:
        names = ", ".join(path.relative_to(folder).as_posix() for path in notebooks[:5])
        raise GradingError(f"This is no notebook of {exercise}: {names}. Upload {exercise}.ipynb.")
    return fitting[0]


def results(mark: Mark, seconds: float) -> dict[str, Any]:
    """Gradescope's results.json: a test for each test, and the sum of their points.

    Raises GradingError where tests are not graded: that is not 0 points, and Gradescope tells instructors of an
    autograder that ended without results.
    """
    if any(row.points is None for row in mark.rows):
        raise GradingError(f"not graded: {'; '.join(mark.doubts) or 'no time was left'}")
    tests = [
        {
            "name": row.test,
            "score": row.points,
            "max_score": row.of,
            "status": "passed" if row.passed else "failed",
            "output": "\n".join(filter(None, (row.feedback, row.hint))),
            "output_format": "text",
            "visibility": "visible",
        }
        for row in mark.rows
    ]
    return {
        "score": sum(row.points or 0.0 for row in mark.rows),
        "execution_time": round(seconds, 2),
        "output": "\n".join(note[:500] for note in mark.notes[:20]),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def main(arguments: list[str] | None = None) -> int:
    """Grade the submission in a container: 0 with results written, 1 where nobody is to blame but the autograder."""
    parser = argparse.ArgumentParser(prog="python -m minigrad_class.gradescope")
    parser.add_argument("root", type=Path, nargs="?", default=Path("/autograder"))
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each cell (20)")
    parser.add_argument("--total", type=float, default=300.0, help="seconds in all (300)")
    parser.add_argument("--no-sandbox", action="store_true", help="trust submissions with the solutions")
    words = parser.parse_args(arguments)
    start = time.monotonic()
    course = words.root / "source" / "course"
    assignment = Assignment.load((course / "exercise").read_text(encoding="utf-8").strip(), course)
    if sandbox.missing() and not words.no_sandbox:
        user = sandbox.another_user()
        if user is None:
            print(
                f"not graded: there is no sandbox ({sandbox.missing()}), and no user who owns nothing to run "
                "submissions as, so they could read the solutions. The container has to run this as root, or to have "
                "bubblewrap",
                file=sys.stderr,
            )
            return 1
        print(f"No sandbox ({sandbox.missing()}). Submissions run as user {user}.")
    limits = Limits(cell=words.limit, total=words.total, cpu=int(words.total) + 5)
    try:
        submission = read(words.root, assignment)
    except GradingError as error:  # for the student, who can hand in again
        report = {"score": 0.0, "output": str(error), "output_format": "text", "visibility": "visible"}
        print(error)
    else:
        try:
            mark = grade(words.root, assignment, submission, limits)
            report = results(mark, time.monotonic() - start)
        except GradingError as error:
            print(error, file=sys.stderr)
            return 1
    write_whole(words.root / "results" / "results.json", json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
