"""The wrong answers of exercises, and what their writers read under the tests: here, and in another Python."""

import functools
import json
from pathlib import Path

from minigrad_course.grading.build import read_rehearsal

ROOT = Path(__file__).parents[1]
EXERCISES = [path.parent.name for path in sorted((ROOT / "sources" / "exercises").glob("0[1-8]_*/exercise.py"))]

# A program. It runs wrong answers in notebooks whose other answers are right, {exercise: [notebook, answers]}, and
# tells of each what every test of the exercise says: {exercise: [[[test, points, hint], ...], ...]}.
PROGRAM = """
import json
from pathlib import Path
from minigrad_course.grading.rehearse import perform
from minigrad_course.grading.sheet import Sheet

def read(handed, course):
    seen = {}
    for name, (notebook, answers) in json.loads(handed).items():
        sheet = Sheet.load(Path(course) / "exercises" / name / "tests.json")
        tables = [sheet.rows(perform(notebook, answer)) for answer in answers]
        seen[name] = [[[row.test, row.points, row.hint] for row in rows] for rows in tables]
    return json.dumps(seen)
"""


def handed(names):
    """The wrong answers to exercises, one in each notebook, as `read` of PROGRAM takes them."""
    rehearsals = {name: read_rehearsal(ROOT / "sources" / "exercises" / name / "exercise.py") for name in names}
    return json.dumps({n: [r.public, [{one.replaces: one.source} for one in r.wrong]] for n, r in rehearsals.items()})


@functools.cache
def read_here(handed):
    """Return what is read in this Python."""
    names = {}
    exec(PROGRAM, names)
    return json.loads(names["read"](handed, ROOT))


def others(elsewhere, handed):
    """The answers that are met with other points or hints elsewhere: [exercise, number, what is read here, there]."""
    return [
        [name, number, *pair]
        for name, tables in read_here(handed).items()
        for number, pair in enumerate(zip(tables, json.loads(elsewhere)[name], strict=True))
        if pair[0] != pair[1]
    ]
