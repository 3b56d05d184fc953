# replaces: looks
# loses: 3
# hint: You compare only the sum of the values. The right numbers in the wrong places have the same sum: compare
#   entry by entry.


def looks_right(candidate):
    a = np.array([1.0, -2.0, 3.0, 0.5])
    try:
        mg.check_gradients(lambda a: candidate(a, 0.3), a)
    except AssertionError:
        return False
    return bool(np.isclose(np.sum(candidate(a, 0.3)), np.sum(echo(a, 0.3))))
