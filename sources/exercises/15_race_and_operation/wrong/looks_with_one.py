# replaces: looks
# loses: 3
# hint: What you compare does not show a weak echo: with r = 1 all its powers are 1, and the first entry has no echo
#   at all. Choose another r, and compare all entries, all different.


def looks_right(candidate):
    a = np.array([1.0, 1.0, 1.0])
    try:
        mg.check_gradients(lambda a: candidate(a, 1.0), a)
    except AssertionError:
        return False
    return bool(np.allclose(candidate(a, 1.0), [1.0, 2.0, 3.0]))
