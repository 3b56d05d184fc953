# replaces: looks
# loses: 3
# hint: A candidate that reads its input from the other end looks right to you. With entries that are all
#   equal, or that read the same from both ends, nobody can tell: take entries that all differ.


def looks_right(candidate):
    a, r = np.ones(5), 0.8
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
