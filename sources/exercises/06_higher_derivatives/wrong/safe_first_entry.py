# replaces: safe_step
# loses: 2
# hint: Only some of the diagonal was raised. µ has to go to every entry of the diagonal, then every curvature
#   grows by µ.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H[0, 0] += 1 - smallest
    return np.linalg.solve(H, -np.array(gradient(*point)))
