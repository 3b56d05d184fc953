# replaces: bptt
# loses: 4
# hint: You add the adjoint 1 in every step. Only the last state is the output: 1 is where h_bar starts, and after
#   that comes what is passed back.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    h_bar, W, U = 0.0, 0.0, 0.0
    for t in range(len(xs), 0, -1):
        a = (1 - states[t] ** 2) * (h_bar + 1)
        W += a * xs[t - 1]
        U += a * states[t - 1]
        h_bar = u * a
    return {"w": W, "u": U}
