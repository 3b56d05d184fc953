# replaces: looks
# loses: 3
# hint: A wrong vjp was accepted. Its values are right, so the values cannot tell: use mg.check_gradients.


def looks_right(candidate):
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.8
    expected = [a[0]]
    for entry in a[1:]:
        expected.append(entry + r * expected[-1])
    return np.allclose(candidate(a, r), expected)
