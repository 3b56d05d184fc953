# replaces: minimise
# loses: 2
# hint: You stop where the STEP is short. Where the curvature is small, the gradient may be short long before
#   the step is: look at the length of the gradient.


def minimise(gradient, start, tolerance=1e-6, most=100):
    point = np.array(start, float)
    steps = 0
    for _ in range(most):
        step = newton_step(gradient, point)
        if np.linalg.norm(step) < tolerance:
            break
        point = point + step
        steps += 1
    return point, steps
