# replaces: safe_step
# loses: 2
# hint: You took the size of each curvature. Then it goes downhill, but the steps are others than those asked
#   for: add the same µ to all curvatures, so that the smallest becomes 1.


def safe_step(gradient, point):
    H = np.array(hessian(gradient, point))
    w, V = np.linalg.eigh(H)
    return -V @ (V.T @ np.array(gradient(*point)) / np.abs(w))
