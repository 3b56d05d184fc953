# replaces: minimise
# loses: 2
# hint: The result is far from the bottom: the step was subtracted. newton_step already has the minus sign; gradient
#   descent's has not.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
        point, steps = point - newton_step(gradient, point), steps + 1
    return point, steps
