"""minigrad_course: the course around the library, in a package of its own. It imports minigrad.

The modules, in the order in which each imports only those before it:

    minigrad_in_a_page  the whole idea in 110 lines, which import nothing but math
    mistakes           errors in a notebook, explained in words
    data, measure      digits to learn from; seconds and bytes
    says               a sentence with its figures, asserted
    profiled           the calls of a block, watched
    short              numbers in few digits
    trace              a function line by line, with its derivative beside it
    check, anomaly     derivatives compared with other methods; the origin of a nan
    viz                graphs, derivatives and training, drawn
    peers              the same training in PyTorch, in a process of its own
    grading            exercises, their hints and points
    guesses            asked for before a cell, shown beside its result
    parsons            derivations in shuffled lines, to put in order
    puzzles            twelve rules of reverse mode, to write on one page
    two_moons          a network that these rules train
    recall             questions from earlier lessons; `minigrad progress`, which says what fades
    concepts           twenty questions before the lessons and after them; `minigrad concepts`
    isolation          other people's programs, in processes with limits
    instructors        the way to minigrad-class, which grades a class, where that is installed
    project            your own engine: its milestones, judged
    prepare, doctor    kernels compiled beforehand; the state of this machine
    lessons, lab, cli  the course laid out, and opened; the command line
    added              the names that it adds to minigrad, such as mg.draw
"""

PACKAGES = ("minigrad", "minigrad_course", "minigrad_class")
