# replaces: pool_adjoint
# loses: 2
# hint: Your squares overlap: the square of output (r, q) begins at row 2r and column 2q.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[r : r + 2, q : q + 2]
            a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
            x_bar[2 * r + a, 2 * q + b] = y_bar[r, q]
    return x_bar
