# replaces: looks
# loses: 3
# hint: A wrong echo was accepted that only differs from the third entry on: your test tries too few entries.


def looks_right(candidate):
    a, r = np.array([1.0, 2.0]), 0.8
    if not np.allclose(candidate(a, r), [1.0, 2.8]):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
    return True
