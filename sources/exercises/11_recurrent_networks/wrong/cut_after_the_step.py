# replaces: truncated
# loses: 3
# hint: You cut the state of the step itself, before its own loss was computed: then that loss has no gradient. The
#   cut belongs before the step.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        h = mg.tanh(w * x + u * h)
        if t % k == 0:
            h = mg.stop_gradient(h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
