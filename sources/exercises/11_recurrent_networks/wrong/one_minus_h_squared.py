# replaces: bptt
# loses: 4
# hint: You squared the bracket, (1 - h)². The derivative of tanh is 1 - h²: first the square, then the difference.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    h_bar, W, U = 1.0, 0.0, 0.0
    for t in range(len(xs), 0, -1):
        a = (1 - states[t]) ** 2 * h_bar
        W += a * xs[t - 1]
        U += a * states[t - 1]
        h_bar = u * a
    return {"w": W, "u": U}
