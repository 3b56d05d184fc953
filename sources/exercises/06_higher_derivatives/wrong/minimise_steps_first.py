# replaces: minimise
# loses: 2
# hint: Started at the bottom, it still takes a step. When should it look at the gradient for the first time?


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    while True:
        point, steps = point + newton_step(gradient, point), steps + 1
        if np.linalg.norm(gradient(*point)) < tolerance:
            return point, steps
