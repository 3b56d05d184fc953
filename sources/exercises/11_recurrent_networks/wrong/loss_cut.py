# replaces: truncated
# loses: 3
# hint: The loss was cut as well, so the earlier pieces do not count at all. Only the state is cut: each piece keeps
#   its own losses.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets)):
        if t % k == 0:
            h = mg.stop_gradient(h)
            loss = mg.stop_gradient(loss)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
