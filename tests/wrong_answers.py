"""The wrong answers of exercises, and what their writers read under the tests: here, and in another Python."""

import functools
import json
from pathlib import Path

from strangers import ANSWERS

from minigrad_course.grading.cells import grade_id
from minigrad_course.grading.make_notebooks import read_rehearsal
from minigrad_course.grading.wrong_table import replaced, without_markers

ROOT = Path(__file__).parents[1]
IN_A_TAB = "0[1-8]_*", "1[0-4]_*"
EXERCISES = [path.name for names in IN_A_TAB for path in sorted((ROOT / "sources" / "exercises").glob(names))]

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
        tables = [sheet.rows(perform(notebook, answer), answer) for answer in answers]
        seen[name] = [[[row.test, row.points, row.hint] for row in rows] for rows in tables]
    return json.dumps(seen)
"""


def handed(names):
    """The wrong answers to exercises, of tables and strangers, one in each notebook, as PROGRAM's `read` takes them."""
    work = {}
    for name in names:
        rehearsal = read_rehearsal(ROOT / "sources" / "exercises" / name / "exercise.py")
        right = {grade_id(cell): without_markers(cell["source"]) for cell in rehearsal.full["cells"]}
        strangers = [(answer, replaced(right[answer], old, new)) for answer, old, new, _ in ANSWERS[name]]
        wrong = [(one.replaces, one.source) for one in rehearsal.wrong] + strangers
        work[name] = [rehearsal.public, [{answer: source} for answer, source in wrong]]
    return json.dumps(work)


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
