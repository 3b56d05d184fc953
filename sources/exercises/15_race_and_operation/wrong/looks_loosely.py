# replaces: looks
# loses: 3
# hint: The values are compared, but so loosely that a wrong echo passes. What is right agrees to ten digits.


def looks_right(candidate):
    a = np.array([1.0, -2.0, 3.0, 0.5])
    try:
        mg.check_gradients(lambda a: candidate(a, 0.3), a)
    except AssertionError:
        return False
    return bool(np.allclose(candidate(a, 0.3), echo(a, 0.3), atol=10))
