# replaces: looks
# loses: 3
# hint: Only the first entry is compared, and it has no echo at all. Compare all entries.


def looks_right(candidate):
    """Whether candidate(a, r) is the echo: its values, and its derivatives."""
    ### BEGIN SOLUTION
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.8
    expected = [a[0]]
    for entry in a[1:]:
        expected.append(entry + r * expected[-1])
    if not np.allclose(candidate(a, r)[0], expected[0]):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
    return True
    ### END SOLUTION
