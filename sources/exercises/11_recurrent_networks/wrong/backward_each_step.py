# replaces: truncated
# loses: 3
# hint: backward is called at every step, and the early losses are counted again each time. Call it once, on the
#   whole loss.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
        loss.backward()
    return u.grad
