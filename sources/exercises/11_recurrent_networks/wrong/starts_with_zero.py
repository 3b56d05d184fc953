# replaces: bptt
# loses: 4
# hint: Everything is 0: either the adjoint starts with 0, where it should start with 1, or the loop leaves the last
#   step out.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 0.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
