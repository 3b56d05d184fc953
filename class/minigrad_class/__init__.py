"""minigrad_class: a class's submissions, collected, mended, graded behind a wall, and given back. `minigrad class`

A distribution of its own: `pip install minigrad-class`, or `make class` in a clone. It imports minigrad_course, which
finds it through minigrad_course/instructors.py.

A submission is code by somebody who wants points. It may loop for ever, crash, print 100 MB, look for the solutions,
or change what checks it. So three things are kept apart. A *sandbox* runs the submission and answers questions; a
*judge*, on our side, knows what the answers should be; a *supervisor* between them carries plain data, and ends what
does not end. Points are made on our side alone.

    owners.py           whose submission is it: from the outermost name, or the class list
    roster.py           the class list: ids, names, and what else is known of people
    times.py            when something was handed in, and how late that is
    downloads.py        every file of what a platform hands out, so many and no more
    collect.py          downloads -> one notebook for each student, and what waits for a person
    repair.py           the student's answers in a clean notebook
    notebook_reader.py  ... in a process that may be lost
    reach.py            what an answer leans on, read from its text
    split.py            a test in two halves: what to ask, and what the answer should be
    plain_values.py     answers as plain data
    sandbox.py          bubblewrap around a submission
    sandbox_worker.py   in there: runs cells (minigrad_course/grading/runner.py) beside the submission
    remote_objects.py   objects that stay with the judge, and what stands in for them
    judge_process.py    beside the author's solution: compares
    judge_client.py     our end of the judge
    session.py          one sandbox: cells in, replies out, and an end to it
    supervise.py        one submission from its cells to how its tests ended
    assignment.py       one exercise, and the jobs made of submissions
    batch.py            many jobs: worker processes, or Dask
    store.py            results on disk, each once
    csv_tables.py       CSV as spreadsheets read and write it
    marks.py            points of a class
    packing.py          what students get: an exercise, or the course
    variation.py        an exercise with other numbers and functions
    term.py             the course of a term, with such exercises
    platforms.py        points in the table that Canvas, Moodle or Blackboard exports
    gradescope.py       an exercise as an autograder for Gradescope
    feedback_pages.py   feedback for students, a table of grades, what needs a person
    engines.py          `minigrad project class`: the engines of a class
    steps.py            each step of `minigrad class`
    class_command.py    ... and how it is called
"""
