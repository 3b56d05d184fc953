# replaces: im2col
# loses: 2
# hint: All windows are in one long row. Each should have a row of its own: a matrix.


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]
    return np.concatenate(windows)
