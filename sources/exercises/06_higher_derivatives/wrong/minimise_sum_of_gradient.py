# replaces: minimise
# loses: 2
# hint: You add up the entries of the gradient: negative ones make that small, or hide the others. Its LENGTH must
#   be small: np.linalg.norm.


def minimise(gradient, point, tolerance=1e-6):
    steps = 0
    while sum(gradient(*point)) >= tolerance and steps < 100:
        point = np.array(point) + newton_step(gradient, point)
        steps += 1
    return point, steps
