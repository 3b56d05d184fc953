# replaces: safe_step
# loses: 2
# hint: A curvature of 0.25 is small, but positive: the parabola opens upwards and has a bottom. For which
#   curvatures does the rule ask for a µ?


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    H = H + max(0.0, 1 - np.linalg.eigvalsh(H)[0]) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
