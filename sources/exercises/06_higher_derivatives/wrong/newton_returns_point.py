# replaces: newton_step
# loses: 5
# hint: That is the place where the step leads, not the step. How far is it from the point to there?


def newton_step(gradient, point):
    return np.array(point) + np.linalg.solve(hessian(gradient, point), -np.array(gradient(*point)))
