# replaces: slopes
# loses: 2
# hint: The numbers are right, but they stand in a column: each is in a list of its own.


def slopes(f, x, h=1e-5):
    x = np.array(x, dtype=float)
    return np.array([[(f(x + h * e) - f(x - h * e)) / (2 * h)] for e in np.eye(x.size)])
