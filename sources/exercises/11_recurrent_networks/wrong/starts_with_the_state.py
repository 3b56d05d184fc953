# replaces: bptt
# loses: 4
# hint: The adjoint of the last state is 1, because it is the output. You started with the state itself.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, states[-1]
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
