# replaces: safe_step
# loses: 2
# hint: Only a part of the diagonal was raised, or more than the diagonal. µ goes to every entry of the diagonal and
#   nowhere else: then every curvature grows by µ.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H[0, 0] += 1 - smallest
    return np.linalg.solve(H, -np.array(gradient(*point)))
