# replaces: minimise
# loses: 2
# hint: The point is right, but no steps are counted: steps stays 0.


def minimise(gradient, point, tolerance=1e-6):
    point, steps = np.array(point), 0
    for _ in range(100):
        if np.linalg.norm(gradient(*point)) < tolerance:
            break
        point = point + newton_step(gradient, point)
    return point, steps
