# replaces: truncated
# loses: 3
# hint: The loss was sent back at the end of each piece, with all earlier steps in it again. One backward at the end
#   is enough: the cuts do the rest.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets)):
        if t % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
        if (t + 1) % k == 0 or t == len(xs) - 1:
            loss.backward()
    return u.grad
