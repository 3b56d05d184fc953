# replaces: looks
# loses: 3
# hint: A wrong echo was accepted that is right for r = 0.5, whatever r it is given. Take an r that nobody expects.


def looks_right(candidate):
    """Whether candidate(a, r) is the echo: its values, and its derivatives."""
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.5
    expected = [a[0]]
    for entry in a[1:]:
        expected.append(entry + r * expected[-1])
    if not np.allclose(candidate(a, r), expected):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
    return True
