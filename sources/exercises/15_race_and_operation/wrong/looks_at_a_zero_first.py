# replaces: looks
# loses: 3
# hint: A candidate that does not hear the first entry looks right to you. Is the first entry of your array 0?
#   Then it makes no sound.


def looks_right(candidate):
    a, r = np.arange(5.0), 0.8
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
