# replaces: safe_step
# loses: 2
# hint: A curvature of exactly 0 has no bottom either: the rule asks for µ where the smallest curvature is 0 or
#   negative.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest < 0:
        H = H + (1 - smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
