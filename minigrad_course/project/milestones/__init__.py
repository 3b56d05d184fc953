"""The tests of each milestone: cases worked by hand first, then hundreds of random graphs.

A test is a function of the engine, `m`, which is the learner's file as a module. It raises Mismatch with a line that
depends on the mistake alone, since hints are looked up by it. Each is worth a point.

    milestone_table.py  the class of a test, and the list of milestones
    scalars.py          1 to 3: numbers that remember, the way back, dual numbers
    array_functions.py  4 to 6: arrays, matrix products and relu, cross-entropy
    digit_networks.py   7 and 8: layers, training, a recurrent cell
    choices.py          9 to 13
"""

from minigrad_course.project.milestones import scalars, array_functions, digit_networks, choices  # isort: skip  (the table's order)
from minigrad_course.project.milestones.milestone_table import CHOICES, GRAPHS, TESTS, TIMES, TITLES, Test

__all__ = [
    "CHOICES",
    "GRAPHS",
    "TESTS",
    "TIMES",
    "TITLES",
    "Test",
    "array_functions",
    "choices",
    "digit_networks",
    "scalars",
]
