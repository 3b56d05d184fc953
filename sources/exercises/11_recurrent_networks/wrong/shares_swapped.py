# replaces: bptt
# loses: 4
# hint: The shares of w and u have changed places: w multiplies the input, u the state before.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * states[t - 1]
        by_u += inside * xs[t - 1]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
