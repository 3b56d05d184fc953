# replaces: newton_step
# loses: 5
# hint: You divide each slope by its own curvature. With one input that is right. Here changing x also changes the
#   slope along y: the equations belong together.


def newton_step(gradient, point):
    return -np.array(gradient(*point)) / np.diag(hessian(gradient, point))
