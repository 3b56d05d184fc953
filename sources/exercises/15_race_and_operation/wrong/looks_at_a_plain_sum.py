# replaces: looks
# loses: 3
# hint: A vjp was accepted that is right only where all adjoints are equal. The sum of v gives each of them the
#   adjoint 1: let the loss be curved.


def looks_right(candidate):
    a, r = np.array([0.7, -1.3, 0.4, 2.1, -0.6]), 0.8
    expected = [a[0]]
    for entry in a[1:]:
        expected.append(entry + r * expected[-1])
    if not np.allclose(candidate(a, r), expected):
        return False
    try:
        mg.check_gradients(lambda a: mg.sum(candidate(a, r)), a)
    except AssertionError:
        return False
    return True
