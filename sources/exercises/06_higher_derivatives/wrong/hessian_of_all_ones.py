# replaces: hessian
# loses: 9
# hint: You asked for one direction only, with all inputs moving at once, so each of your rows is the sum of
#   all columns. One unit direction after the other gives one column after the other.


def hessian(gradient, point):
    return [hvp(gradient, point, np.ones(len(point))) for _ in point]
