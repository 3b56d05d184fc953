# replaces: pool_adjoint
# loses: 2
# hint: The smallest pixel of each square got the adjoint. The largest one was kept.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            a, b = divmod(int(np.argmin(square)), 2)  # argmax names the first of several
            x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
    return x_bar
