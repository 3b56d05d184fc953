# replaces: looks
# loses: 3
# hint: With r = 0, or with zeros only, there is no echo, and every mistake in it is multiplied by 0. Take an r that
#   is neither 0 nor 1, and different numbers.


def looks_right(candidate):
    a = np.array([0.7, -1.3, 0.4, 2.1, -0.6])
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, 0.0))), a)
    except AssertionError:
        return False
    return np.allclose(candidate(a, 0.0), a)
