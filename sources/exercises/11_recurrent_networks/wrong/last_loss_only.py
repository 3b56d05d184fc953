# replaces: truncated
# loses: 3
# hint: You went back from the last step's loss alone. There is a loss at every step: add them up.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = (h - y) ** 2
    loss.backward()
    return u.grad
