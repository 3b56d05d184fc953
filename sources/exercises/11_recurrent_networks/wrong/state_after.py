# replaces: bptt
# loses: 4
# hint: For u you took the state after the step. In step t, u multiplies the state before it; in step 1 that is h_0
#   = 0.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t]
        adjoint = u * inside
    return {"w": by_w, "u": by_u}
