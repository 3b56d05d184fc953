# replaces: minimise
# loses: 2
# hint: One step too many is counted: before the first step, how many have you taken?


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 1
    while np.linalg.norm(gradient(*point)) >= tolerance:
        point, steps = point + newton_step(gradient, point), steps + 1
    return point, steps
