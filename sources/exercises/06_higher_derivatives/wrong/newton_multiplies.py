# replaces: newton_step
# loses: 5
# hint: You multiplied the gradient by H. But the steeper the bend, the SHORTER the step must be: H s is known
#   and s is wanted.


def newton_step(gradient, point):
    return -np.array(hessian(gradient, point)) @ np.array(gradient(*point))
