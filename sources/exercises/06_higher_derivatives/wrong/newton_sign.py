# replaces: newton_step
# loses: 5
# hint: The step leads away from the bottom, just as far on the other side. At the bottom gradient + H s is 0:
#   on which side of the equation does the gradient end up?


def newton_step(gradient, point):
    return np.linalg.solve(hessian(gradient, point), np.array(gradient(*point)))
