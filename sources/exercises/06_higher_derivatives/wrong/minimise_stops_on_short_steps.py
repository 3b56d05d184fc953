# replaces: minimise
# loses: 2
# hint: You stop where the STEP is short. Where the slope is steep, a short step can still change the gradient a
#   lot: look at the length of the gradient.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    step = newton_step(gradient, point)
    while np.linalg.norm(step) >= tolerance and steps < 100:
        point, steps = point + step, steps + 1
        step = newton_step(gradient, point)
    return point, steps
