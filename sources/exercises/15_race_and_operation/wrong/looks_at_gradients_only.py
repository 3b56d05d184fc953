# replaces: looks
# loses: 3
# hint: A wrong echo was accepted whose vjp agrees with its values. A gradient check compares the derivative with
#   the function as it is: compare the values, too.


def looks_right(candidate):
    try:
        mg.check_gradients(lambda a: mg.sum(mg.sin(candidate(a, 0.8))), np.array([0.7, -1.3, 0.4, 2.1, -0.6]))
    except AssertionError:
        return False
    return True
