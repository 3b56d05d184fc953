# replaces: pool_adjoint
# loses: 2
# hint: Your squares overlap: they begin at r and q. Each is two pixels further than the last: 2 r and 2 q.


def pool_adjoint(x, y_bar):
    g = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            win = x[r : r + 2, q : q + 2]
            a, b = np.unravel_index(win.argmax(), (2, 2))
            g[r + a, q + b] += y_bar[r, q]
    return g
