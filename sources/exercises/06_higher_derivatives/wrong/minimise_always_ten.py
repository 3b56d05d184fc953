# replaces: minimise
# loses: 2
# hint: It takes ten steps, even if it has arrived after one. Look at the gradient before each step: is it short
#   enough already?


def minimise(gradient, point, tolerance=1e-6):
    point = np.array(point)
    for _ in range(10):
        point = point + newton_step(gradient, point)
    return point, 10
