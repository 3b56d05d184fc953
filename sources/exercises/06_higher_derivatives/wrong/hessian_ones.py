# replaces: hessian
# loses: 9
# hint: All your columns are alike: each product went along (1, 1, ...), where all inputs move at once. For
#   column j only input j may move.


def hessian(gradient, point):
    n = len(point)
    return np.array([hvp(gradient, point, np.ones(n)) for _ in range(n)]).T
