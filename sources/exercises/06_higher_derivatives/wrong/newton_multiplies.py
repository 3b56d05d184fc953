# replaces: newton_step
# loses: 5
# hint: You multiplied the gradient by H. But the larger the curvature, the SHORTER the step must be: solve H s = -
#   gradient for s.


def newton_step(gradient, point):
    return -np.array(hessian(gradient, point)) @ np.array(gradient(*point))
