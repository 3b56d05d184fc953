# replaces: looks
# loses: 3
# hint: Comparing two arrays gives an array of answers, and == asks for every last bit. One True or False was asked
#   for: np.allclose.


def looks_right(candidate):
    a = np.array([1.0, -2.0, 3.0, 0.5])
    try:
        mg.check_gradients(lambda a: candidate(a, 0.3), a)
    except AssertionError:
        return False
    return candidate(a, 0.3) == echo(a, 0.3)
