# replaces: truncated
# loses: 3
# hint: With pieces of 3 you get the same as with one piece of 6: nothing was cut. stop_gradient returns what you
#   need; it does not change h itself.


def truncated(xs, targets, w, u, k):
    u = mg.Variable(u)
    h, loss = 0.0, 0.0
    for t, (x, y) in enumerate(zip(xs, targets, strict=True)):
        if t % k == 0:
            mg.stop_gradient(h)
        h = mg.tanh(w * x + u * h)
        loss = loss + (h - y) ** 2
    loss.backward()
    return u.grad
