# replaces: hessian
# loses: 9
# hint: Only the diagonal is filled in. The product with one unit direction is a whole column: how EVERY entry of
#   the gradient changes.


def hessian(gradient, point):
    n = len(point)
    return np.diag([hvp(gradient, point, np.eye(n)[k])[k] for k in range(n)])
