# replaces: w_adjoint
# loses: 2
# hint: It is the transpose: rows and columns have changed places somewhere.


def w_adjoint(x, y_bar):
    (rows, columns), (height, width) = y_bar.shape, (x.shape[0] - y_bar.shape[0] + 1, x.shape[1] - y_bar.shape[1] + 1)
    w_bar = np.zeros((height, width))
    for r in range(rows):
        for q in range(columns):
            w_bar += y_bar[r, q] * x[r : r + height, q : q + width]
    return w_bar.T
