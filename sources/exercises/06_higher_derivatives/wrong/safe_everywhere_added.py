# replaces: safe_step
# loses: 2
# hint: µ was added to all entries of H. Only the diagonal is raised: µ times the identity matrix.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.linalg.eigvalsh(H)[0]
    if smallest <= 0:
        H = H + (1 - smallest)
    return np.linalg.solve(H, -np.array(gradient(*point)))
