# replaces: minimise
# loses: 2
# hint: Two things were asked for: the point and the number of steps. You return the point alone.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
        point, steps = point + newton_step(gradient, point), steps + 1
    return point
