# replaces: safe_step
# loses: 2
# hint: You looked only at the diagonal of H. Here it says 1 and 1, and yet the function bends down in a
#   direction between the axes: the curvatures are the eigenvalues of the whole H.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    smallest = np.diag(H).min()
    if smallest <= 0:
        H = H + (1 - smallest) * np.eye(len(H))
    return np.linalg.solve(H, -np.array(gradient(*point)))
