# replaces: bptt
# loses: 4
# hint: You took the slope of tanh from the state before the step. 1 - h² belongs to the state that the step made.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t - 1] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
