# replaces: truncated
# loses: 3
# hint: Your loss is another one: the sum of the SQUARES of h - y was asked for.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + mg.abs(h - y)
    loss.backward()
    return u.grad
