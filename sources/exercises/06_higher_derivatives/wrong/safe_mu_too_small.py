# replaces: safe_step
# loses: 2
# hint: Your µ makes the smallest curvature 0, so there is still no bottom. It should become 1.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H = H + (-smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
