# replaces: truncated
# loses: 3
# hint: Your pieces are cut at the wrong steps. Steps count from 0 here: with k = 3, the cuts come before step 0 and
#   step 3.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if (t + 1) % k == 0:
            h = mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
