# replaces: im2col
# loses: 2
# hint: Within a window your pixels stand column by column. They should stand row by row, as w.ravel() has the
#   filter.


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    return np.array([x[r : r + height, q : q + width].T.ravel() for r in range(rows) for q in range(columns)])
