# replaces: minimise
# loses: 2
# hint: You take half of each step, so every step leaves half of the way. Newton's step leads to the bottom of
#   a bowl at once.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point, float), 0
    while np.linalg.norm(gradient(*point)) >= tolerance and steps < 100:
        point = point + 0.5 * newton_step(gradient, point)
        steps += 1
    return point, steps
