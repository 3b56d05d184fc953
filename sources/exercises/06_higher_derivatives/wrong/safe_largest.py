# replaces: safe_step
# loses: 2
# hint: You looked at the largest curvature. One negative curvature is enough to lead uphill: the smallest decides.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[-1]
    if smallest <= 0:
        H = H + (1 - smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
