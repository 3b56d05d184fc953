# replaces: newton_step
# loses: 5
# hint: That is the point that the step leads to, not the step. How far is it from the given point to there?


def newton_step(gradient, point):
    return np.array(point) + np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))
