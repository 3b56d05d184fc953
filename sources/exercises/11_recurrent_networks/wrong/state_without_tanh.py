# replaces: truncated
# loses: 3
# hint: The tanh is missing in h = tanh(w x + u h).


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = w * x + u * h
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
