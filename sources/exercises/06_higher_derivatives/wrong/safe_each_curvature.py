# replaces: safe_step
# loses: 2
# hint: You replaced each curvature that is not positive by 1, and left the others. The remedy adds the same µ
#   to EVERY curvature, those that were positive included.


def safe_step(gradient, point):
    values, vectors = np.linalg.eigh(np.array(hessian(gradient, point)))
    values[values <= 0] = 1.0
    return -vectors @ ((vectors.T @ np.array(gradient(*point))) / values)
