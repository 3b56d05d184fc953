# replaces: looks
# loses: 3
# hint: check_gradients says no by an AssertionError, and yours leaves the function. Catch it, and return False.


def looks_right(candidate):
    a = np.array([1.0, -2.0, 3.0, 0.5])
    mg.check_gradients(lambda a: candidate(a, 0.3), a)
    return bool(np.allclose(candidate(a, 0.3), echo(a, 0.3)))
