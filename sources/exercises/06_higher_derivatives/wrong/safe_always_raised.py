# replaces: safe_step
# loses: 2
# hint: You raise the diagonal everywhere. In the bowl all curvatures are positive, so µ is 0 there, and the step is
#   Newton's own.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    H = H + (1 - np.linalg.eigvalsh(H)[0]) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
