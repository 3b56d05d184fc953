# replaces: truncated
# loses: 3
# hint: The loss was cut, and with it what the steps before have added. Cut the state h.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            loss = mg.stop_gradient(loss)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
