# replaces: minimise
# loses: 2
# hint: It stays where it started: your loop runs while the gradient is SHORT. It should run while it is too long.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    while np.linalg.norm(gradient(*point)) <= tolerance and steps < 100:
        point, steps = point + newton_step(gradient, point), steps + 1
    return point, steps
