# replaces: looks
# loses: 3
# hint: A check that passes is silent, so your function ends without a verdict. Return True at the end.


def looks_right(candidate):
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.8
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, r))), a)
    except AssertionError:
        return False
