# replaces: x_adjoint
# loses: 3
# hint: Where windows overlap, the next one overwrites what the one before has left. A pixel that was used twice
#   gets two shares.


def x_adjoint(y_bar, w):
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows + height - 1, columns + width - 1))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] = y_bar[r, q] * w
    return x_bar
