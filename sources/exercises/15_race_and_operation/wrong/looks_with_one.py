# replaces: looks
# loses: 3
# hint: With r = 1 all powers of r are 1, and mistakes in them cannot be seen. Choose another r, and entries that
#   are all different.


def looks_right(candidate):
    a = np.array([1.0, 1.0, 1.0])
    try:
        mg.check_gradients(lambda a: candidate(a, 1.0), a)
    except AssertionError:
        return False
    return bool(np.allclose(candidate(a, 1.0), [1.0, 2.0, 3.0]))
