# replaces: x_adjoint
# loses: 3
# hint: The adjoint has the size of the picture, which is larger than y_bar: height - 1 more rows, width - 1 more
#   columns.


def x_adjoint(y_bar, w):
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows, columns))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] += y_bar[r, q] * w
    return x_bar
