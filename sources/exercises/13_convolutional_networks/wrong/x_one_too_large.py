# replaces: x_adjoint
# loses: 3
# hint: One row and one column too many: the picture has rows + height - 1 rows.


def x_adjoint(y_bar, w):
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows + height, columns + width))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] += y_bar[r, q] * w
    return x_bar
