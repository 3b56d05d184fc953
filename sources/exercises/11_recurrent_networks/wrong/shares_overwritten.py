# replaces: bptt
# loses: 4
# hint: Only the share of one step is left: each step has a share, and = overwrites those before. Start with 0 and
#   add.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    h_bar = 1.0
    for t in range(len(xs), 0, -1):
        a = (1 - states[t] ** 2) * h_bar
        W = a * xs[t - 1]
        U = a * states[t - 1]
        h_bar = u * a
    return {"w": W, "u": U}
