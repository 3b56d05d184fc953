# replaces: truncated
# loses: 3
# hint: The loss is a sum of SQUARES of the differences, and yours is a sum of the differences.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y)
    loss.backward()
    return u.grad
