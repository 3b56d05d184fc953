"""The classroom: a class's submissions collected, mended, graded behind a wall, and given back. `minigrad class`

A submission is code by somebody who wants points. It may loop for ever, crash, print 100 MB, look for the solutions,
or change what checks it. So three things are kept apart. A *sandbox* runs the submission and answers questions; a
*judge*, on our side, knows what the answers should be; a *supervisor* between them carries plain data, and ends what
does not end. Points are made on our side alone.

    names.py       whose submission is it: from the outermost name, or the class list
    heap.py        every file of what a platform hands out, so many and no more
    collect.py     a heap -> one notebook for each student, and what waits for a person
    repair.py      the student's answers in a clean notebook
    reading.py     ... in a process that may be lost
    helper.py      a process of ours that may be lost
    scratch.py     folders for a moment, swept up after a kill
    processes.py   limits, and processes that end with their parent
    split.py       a test in two halves: what to ask, and what the answer should be
    values.py      answers as plain data
    inside.py      runs cells (../runner.py) beside the submission
    sandbox.py     the wall around it, and its limits
    warm.py        a sandbox in which a Python waits: a submission starts in a moment
    judge.py       ... beside the author's solution: compares
    judging.py     our end of the judge
    session.py     one sandbox: cells in, replies out, and an end to it
    supervise.py   one submission from its cells to how its tests ended
    assignment.py  one exercise, and the jobs made of submissions
    batch.py       many jobs: worker processes, or Dask
    store.py       results on disk or elsewhere, each once
    tables.py      CSV as spreadsheets read and write it
    marks.py       points of a class: results, and what persons gave
    gradebook.py   nbgrader's gradebook, for what a person reads
    packing.py     what students get: an exercise, or the course
    hub.py         a JupyterHub: the course at each start, an inbox that asks the hub who somebody is
    pages.py       feedback for students, a table of grades, what needs a person
    command.py     `minigrad class`
"""
