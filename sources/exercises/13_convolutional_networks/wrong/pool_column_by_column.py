# replaces: pool_adjoint
# loses: 2
# hint: At a tie you take the first one column by column: the pixel below before the one to the right. Row by row
#   was asked for.


def pool_adjoint(x, y_bar):
    g = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            win = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            b, a = np.unravel_index(win.T.argmax(), (2, 2))
            g[2 * r + a, 2 * q + b] = y_bar[r, q]
    return g
