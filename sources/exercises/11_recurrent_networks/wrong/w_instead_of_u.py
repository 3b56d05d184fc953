# replaces: bptt
# loses: 4
# hint: Between two states stands u, and not w: in u h, the derivative with respect to h is u.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = w * inside
    return {"w": by_w, "u": by_u}
