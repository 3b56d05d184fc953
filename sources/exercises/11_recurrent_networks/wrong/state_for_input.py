# replaces: bptt
# loses: 4
# hint: w's share was taken with the state before the step, which belongs to u. What is w multiplied by in the
#   forward pass?


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, h_bar = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        a_bar = (1 - states[t] ** 2) * h_bar
        by_w += a_bar * states[t - 1]
        by_u += a_bar * states[t - 1]
        h_bar = u * a_bar
    return {"w": by_w, "u": by_u}
