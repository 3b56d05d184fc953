# replaces: safe_step
# loses: 2
# hint: The smallest curvature became hardly larger than 0, and the step enormous. Choose µ so that it becomes
#   1.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H = H + (1e-3 - smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
