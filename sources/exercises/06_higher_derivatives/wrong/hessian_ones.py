# replaces: hessian
# loses: 9
# hint: All your columns are alike: each product used the direction (1, 1, ...), in which all inputs change at once.
#   For column j only input j may change.


def hessian(gradient, point):
    n = len(point)
    return np.array([hvp(gradient, point, np.ones(n)) for _ in range(n)]).T
