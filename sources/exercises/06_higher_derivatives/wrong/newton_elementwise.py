# replaces: newton_step
# loses: 5
# hint: You divided by the matrix, entry by entry. That is no solution of H s = - gradient: use np.linalg.solve.


def newton_step(gradient, point):
    return -np.array(gradient(*point)) / hessian(gradient, point)
