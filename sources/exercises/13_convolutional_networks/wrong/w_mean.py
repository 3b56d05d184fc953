# replaces: w_adjoint
# loses: 2
# hint: You took the mean over the windows. Derivatives add up: each window used the whole filter.


def w_adjoint(x, y_bar):
    rows, columns = y_bar.shape
    height, width = x.shape[0] - rows + 1, x.shape[1] - columns + 1
    w_bar = np.zeros((height, width))
    for r in range(rows):
        for q in range(columns):
            w_bar += y_bar[r, q] * x[r : r + height, q : q + width]
    return w_bar / y_bar.size
