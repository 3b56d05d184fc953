# replaces: hessian
# loses: 9
# hint: The first column is right; in the next one the first input still moves. Each column needs a direction with a
#   single 1: set the others back to 0.


def hessian(gradient, point):
    n = len(point)
    e = [0.0] * n
    cols = []
    for i in range(n):
        e[i] = 1.0
        cols.append(hvp(gradient, point, e))
    return np.array(cols).T
