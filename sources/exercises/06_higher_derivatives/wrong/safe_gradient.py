# replaces: safe_step
# loses: 2
# hint: Where a curvature is negative you take the plain gradient step. The rule is another one: raise the diagonal,
#   and solve as before.


def safe_step(gradient, point):
    if np.linalg.eigvalsh(np.array(hessian(gradient, point)))[0] <= 0:
        return -np.array(gradient(*point))
    return newton_step(gradient, point)
