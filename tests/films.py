"""A film of each kind, for the tests of what they say and of how they look in a browser."""

import numpy as np

from minigrad_course.viz import animate_adjoint, animate_descent, animate_dual, animate_loop

X = np.array([[1, 2, 0, 1, 3], [0, 1, 1, 2, 0], [2, 0, 1, 0, 1], [1, 3, 0, 2, 1], [0, 1, 2, 0, 1]])
W = np.array([[1, 2, 0], [0, -1, 3], [2, 0, 1]])
Y_BAR = np.array([[1, 0, 2], [-1, 3, 0], [2, 1, -2]])


def up_and_down(a, b):
    return a * a + 4 * b * b


def one_of_each():
    return {
        "dual": animate_dual(lambda x: x * x + 3 * x, 2.0),
        "descent": animate_descent(up_and_down, {"near": [(1, 1), (0, 0.5)], "far": [(1, 1), (0, 3)]}, (-2, 2, -2, 2)),
        "loop": animate_loop([0.9, -0.4, 0.7], 1.0, 0.9),
        "adjoint": animate_adjoint(X, W, Y_BAR),
    }  # fmt: skip
