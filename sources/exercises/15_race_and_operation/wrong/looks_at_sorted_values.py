# replaces: looks
# loses: 3
# hint: You sort both before you compare. The right numbers in the wrong places look right then: compare entry
#   by entry.


def looks_right(candidate):
    a, r = np.array([0.7, -1.3, 0.4, 2.1]), 0.8
    want, last = [], 0.0
    for entry in a:
        last = entry + r * last
        want.append(last)
    if not np.allclose(np.sort(candidate(a, r)), np.sort(want)):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
    return True
