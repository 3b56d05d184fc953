"""The grading room: runs an exercise, says what is wrong and where, and counts points.

A learner meets it in two places. In the notebook, `from minigrad_course import grading; grading.live()` keeps points
while test cells run, and `grading.table()` shows them. In the shell, `minigrad grade 05` runs the saved notebook from
top to bottom in a process of its own. Neither needs nbgrader, though the cells carry nbgrader's own metadata, so that
nbgrader can grade them too.

    checks.py          what a test cell calls: compares, and names the first place that differs
    cases.py           draws fresh inputs, and compares an answer with the solution on them
    likeness.py        describes a wrong number: transposed, doubled, of the other sign
    own_lines.py        reads an answer's text: lines that do nothing, and the likelier of several mistakes
    keeping.py         keeps things out of an answer's reach
    cells.py           the kinds of cells in a notebook; takes out what a learner is not to see
    sheet.py           tests.json beside each exercise: points, fingerprints of the tests, symptom -> hint
    error_words.py     Python's own errors in words
    places.py          where an answer stopped with one: its line, and the sizes of what stands in it
    outcome.py         the outcome of running a cell, and its points
    exercises.py       finds the exercises of a course
    clean.py           the namespace of a test: what the author defined, whatever the answers redefine
    runner.py          runs cells, and tests in such namespaces
    process.py         does so in a process of its own, with a time limit that nothing escapes
    points_table.py    the points table, as text and as HTML
    grade.py           puts these together for one exercise
    watch.py           points while the notebook is open
    deadline.py        the time limit there
    progress.py        points over all exercises, kept in a small file
    reveal.py          the solution of an answer, line by line, after three tries
    tutor.py           what a learner may give to an assistant
    grade_command.py   `minigrad grade`
    whole_files.py     writes files whole or not at all
    effort.py          authors: minutes and difficulty of each task, estimated
    asked.py           authors: cells of a lesson that ask, for guesses or for what earlier lessons said
    untouched.py       the files of a course as they are handed out
    make_notebooks.py  authors: sources/ -> notebooks/, exercises/, solutions/
    review.py          authors: is an exercise fit for learners?
    wrong_table.py     authors: reads the tables of wrong answers
    rehearse.py        authors: runs the solution, the empty exercise and the wrong answers, in milliseconds
    slips.py           authors: makes small mistakes in a right answer, whose lines are then known

Importing this package asks for NumPy alone; what runs or builds notebooks is imported when it does.
"""

from minigrad_course.grading.checks import Mismatch, check_close, check_order, partial
from minigrad_course.grading.keeping import outside
from minigrad_course.grading.progress import overview
from minigrad_course.grading.watch import live, solution, table

__all__ = ["Mismatch", "check_close", "check_order", "live", "outside", "overview", "partial", "solution", "table"]
