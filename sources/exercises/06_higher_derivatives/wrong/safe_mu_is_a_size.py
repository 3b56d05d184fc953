# replaces: safe_step
# loses: 2
# hint: With the curvature -3 your µ is not 4. Which number must be added to -3 to get 1? Watch the sign of the
#   curvature.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H = H + (1 + smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
