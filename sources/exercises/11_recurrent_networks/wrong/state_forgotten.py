# replaces: truncated
# loses: 3
# hint: Each of your pieces begins with an empty memory. Only the adjoint is cut: the value of the state goes on.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            h = 0.0
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
