# replaces: bptt
# loses: 4
# hint: The derivative of tanh, 1 - h², is missing: you went from the state straight to what stands inside the tanh.


def bptt(xs, w, u):
    states = forward(xs, w, u)
    by_w, by_u, adjoint = 0.0, 0.0, 1.0
    for t in range(len(xs), 0, -1):
        by_w += adjoint * xs[t - 1]
        by_u += adjoint * states[t - 1]
        adjoint = u * adjoint
    return {"w": by_w, "u": by_u}
