# replaces: looks
# loses: 3
# hint: Your test rejects a right echo. Is the value that you compare with computed with the same r? Is it an echo
#   of echoes? Are True and False in the right places?


def looks_right(candidate):
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.8
    expected = a.copy()
    expected[1:] += r * a[:-1]
    return np.allclose(candidate(a, r), expected)
