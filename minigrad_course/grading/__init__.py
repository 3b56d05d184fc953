"""The grading room: runs an exercise, says what is wrong and where, and counts points.

A learner meets it in two places. In the notebook, `from minigrad_course import grading; grading.live()` keeps points
while test cells run, and `grading.table()` shows them. In the shell, `minigrad grade 05` runs the saved notebook from
top to bottom in a process of its own. Neither needs nbgrader, though the cells carry nbgrader's own metadata, so that
nbgrader can grade them too.

    checks.py     what a test cell calls: compares, and names the first place that differs
    keeping.py    what a test keeps away from the answers
    cells.py      which cell of a notebook is what; what is taken out before a learner sees it
    sheet.py      tests.json beside each exercise: points, fingerprints of the tests, symptom -> hint
    outcome.py    what happened when a cell ran, and how many points that is worth
    exercises.py  finds the exercises of a course
    clean.py      the names that a test runs among: what the author gave, whatever the answers redefine
    runner.py     runs cells, and tests among such names
    process.py    does so in a process of its own, with a time limit that nothing escapes
    report.py     the points table, as text and as HTML
    grade.py      puts these together for one exercise
    watch.py      points while the notebook is open
    deadline.py   the time limit there
    progress.py   points over all exercises, kept in a small file
    command.py    `minigrad grade`, `minigrad progress`
    build.py      authors: sources/ -> notebooks/, exercises/, solutions/
    new.py        authors: a new exercise from the template
    review.py     authors: is an exercise fit for learners?
    wrong.py      authors: reads the tables of wrong answers
    rehearse.py   authors: runs the solution, the empty exercise and the wrong answers, in milliseconds

Importing this package asks for NumPy alone; what runs or builds notebooks is imported when it does.
"""

from minigrad_course.grading.checks import Mismatch, check_close, check_order, partial
from minigrad_course.grading.keeping import outside
from minigrad_course.grading.progress import overview
from minigrad_course.grading.watch import live, table

__all__ = ["Mismatch", "check_close", "check_order", "live", "outside", "overview", "partial", "table"]
