# replaces: safe_step
# loses: 2
# hint: Turned round it goes downhill, but its length comes from a parabola that opens downwards. Raise the
#   curvature to 1 first, then solve.


def safe_step(gradient, point):
    step = newton_step(gradient, point)
    return -step if np.linalg.eigvalsh(hessian(gradient, point))[0] <= 0 else step
