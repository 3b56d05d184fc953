# replaces: newton_step
# loses: 5
# hint: You solved for the point instead of the gradient. The equation is: gradient + H s = 0.


def newton_step(gradient, point):
    return np.linalg.solve(hessian(gradient, point), -np.array(point))
