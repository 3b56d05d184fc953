# replaces: w_adjoint
# loses: 2
# hint: Only the last window counts. All windows share the filter, so its adjoint is the sum over all of them.


def w_adjoint(x, y_bar):
    rows, columns = y_bar.shape
    height, width = x.shape[0] - rows + 1, x.shape[1] - columns + 1
    w_bar = np.zeros((height, width))
    for r in range(rows):
        for q in range(columns):
            w_bar = y_bar[r, q] * x[r : r + height, q : q + width]
    return w_bar
