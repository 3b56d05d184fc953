# replaces: truncated
# loses: 3
# hint: The state is cut before EVERY step. With k = 6 nothing is cut after the beginning: when does the condition
#   hold?


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if True:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
