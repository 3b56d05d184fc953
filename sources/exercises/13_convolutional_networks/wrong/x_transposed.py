# replaces: x_adjoint
# loses: 3
# hint: You transposed the filter: rows became columns. If you slide over y_bar, rotate it instead: reverse both
#   axes.


def x_adjoint(y_bar, w):
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows + height - 1, columns + width - 1))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] += y_bar[r, q] * w.T
    return x_bar
