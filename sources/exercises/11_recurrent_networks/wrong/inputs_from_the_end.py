# replaces: bptt
# loses: 4
# hint: Going back, you take the inputs from the wrong end: xs[-t] at step t is the first input at the last
#   step. Step t had the input xs[t - 1].


def bptt(xs, w, u):
    states = forward(xs, w, u)
    h_bar, W, U = 1.0, 0.0, 0.0
    for t in reversed(range(1, len(xs) + 1)):
        a = (1 - states[t] ** 2) * h_bar
        W += a * xs[-t]
        U += a * states[t - 1]
        h_bar = u * a
    return {"w": W, "u": U}
