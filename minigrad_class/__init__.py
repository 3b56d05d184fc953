"""minigrad_class: a class's submissions, collected, mended, graded behind a wall, and given back. `minigrad class`

Only instructors have it. It imports minigrad_course, which finds it through minigrad_course/instructors.py.

A submission is code by somebody who wants points. It may loop for ever, crash, print 100 MB, look for the solutions,
or change what checks it. So three things are kept apart. A *sandbox* runs the submission and answers questions; a
*judge*, on our side, knows what the answers should be; a *supervisor* between them carries plain data, and ends what
does not end. Points are made on our side alone.

    names.py       whose submission is it: from the outermost name, or the class list
    roster.py      the class list: ids, names, and what else is known of people
    times.py       when something was handed in, and how late that is
    heap.py        every file of what a platform hands out, so many and no more
    collect.py     a heap -> one notebook for each student, and what waits for a person
    repair.py      the student's answers in a clean notebook
    reading.py     ... in a process that may be lost
    split.py       a test in two halves: what to ask, and what the answer should be
    values.py      answers as plain data
    inside.py      runs cells (minigrad_course/grading/runner.py) beside the submission
    outside.py     things that stay outside of the sandbox, and what stands in for them
    warm.py        a sandbox in which a Python waits: a submission starts in a moment
    judge.py       ... beside the author's solution: compares
    judging.py     our end of the judge
    session.py     one sandbox: cells in, replies out, and an end to it
    supervise.py   one submission from its cells to how its tests ended
    assignment.py  one exercise, and the jobs made of submissions
    batch.py       many jobs: worker processes, or Dask
    store.py       results on disk, each once
    tables.py      CSV as spreadsheets read and write it
    marks.py       points of a class: results, and what persons gave
    packing.py     what students get: an exercise, or the course
    term.py        makes the course of a term, with other exercises
    platforms.py   points in the table that Canvas, Moodle or Blackboard exports
    gradescope.py  an exercise as an autograder for Gradescope
    pages.py       feedback for students, a table of grades, what needs a person
    engines.py     `minigrad project class`: the engines of a class
    steps.py       each step of `minigrad class`
    command.py     ... and how it is called

The wall, its limits and processes that may be lost are minigrad_course/apart/.
"""
