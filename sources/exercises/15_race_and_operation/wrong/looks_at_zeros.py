# replaces: looks
# loses: 3
# hint: The echo of zeros is zero, whatever mistake is in it. Try numbers that are not 0, and all different.


def looks_right(candidate):
    a = np.zeros(4)
    try:
        mg.check_gradients(lambda a: candidate(a, 0.3), a)
    except AssertionError:
        return False
    return bool(np.allclose(candidate(a, 0.3), echo(a, 0.3)))
