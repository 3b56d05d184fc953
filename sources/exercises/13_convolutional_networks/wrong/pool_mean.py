# replaces: pool_adjoint
# loses: 2
# hint: Every pixel of a square got a quarter. That is the adjoint of the mean. The largest was taken, so the others
#   did not count.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    rows, columns = y_bar.shape
    x_bar[: 2 * rows, : 2 * columns] = np.repeat(np.repeat(y_bar, 2, axis=0), 2, axis=1) / 4
    return x_bar
