# replaces: minimise
# loses: 2
# hint: One step too many is counted: how many have you taken before the first one?


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 1
    while np.linalg.norm(gradient(*point)) >= tolerance:
        point, steps = point + newton_step(gradient, point), steps + 1
    return point, steps
