"""Programs of other people, or that may be lost, run isolated: in processes with limits.

    limits.py      what a stranger's program may use and see
    processes.py   limits imposed, and processes that end with their parent
    scratch.py     temporary folders, removed even after a kill
    helper.py      a process that answers a line with a line, under a deadline
    engine_answers.py   an engine in such a process, without minigrad: plain numbers for plain numbers

The project tries a learner's engine so, and minigrad_class a class's submissions.
"""
