"""The classroom: a class's submissions collected, mended, graded behind a wall, and given back. `minigrad class`

A submission is code by somebody who wants points. It may loop for ever, crash, print 100 MB, look for the solutions,
or change what checks it. So three things are kept apart. A *sandbox* runs the submission and answers questions; a
*judge*, on our side, knows what the answers should be; a *supervisor* between them carries plain data, and ends what
does not end. Points are made on our side alone.

    names.py       whose submission is it: from the names of files and folders
    collect.py     a heap of files, folders and zips -> one notebook for each student
    repair.py      the student's answers in a clean notebook
    split.py       a test in two halves: what to ask, and what the answer should be
    values.py      answers as plain data
    runner.py      runs cells without a kernel
    inside.py      ... beside the submission
    sandbox.py     the wall around it, and its limits
    judge.py       ... beside the author's solution: compares
    judging.py     our end of the judge
    supervise.py   one submission from its cells to how its tests ended
    assignment.py  one exercise, and the jobs made of submissions
    batch.py       many jobs: worker processes, or Dask
    store.py       results on disk, each once
    tables.py      CSV as spreadsheets read and write it
    marks.py       points of a class: results, and what persons gave
    gradebook.py   nbgrader's gradebook, for what a person reads
    pages.py       feedback for students, a table of grades, what needs a person
    command.py     `minigrad class`
"""
