# replaces: bptt
# loses: 4
# hint: A dict was asked for, with the entries "w" and "u".


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        inside = (1 - states[t] ** 2) * adjoint
        by_w += inside * xs[t - 1]
        by_u += inside * states[t - 1]
        adjoint = u * inside
    return (by_w, by_u)
