# replaces: im2col
# loses: 2
# hint: It is the transpose: your windows are the columns of the matrix. They should be its rows.


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    return np.array([x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]).T
