# replaces: bptt
# loses: 4
# hint: On the way from one state to the one before, the adjoint is multiplied by u. You passed it on as it is.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = inside
    return {"w": by_w, "u": by_u}
