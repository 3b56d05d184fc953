# replaces: im2col
# loses: 2
# hint: Windows are missing: the last one ends exactly at the edge. In 3 rows, how many places are there for a
#   window of 2?


def im2col(x, height, width):
    rows, columns = x.shape[0] - height, x.shape[1] - width
    windows = [x[r : r + height, q : q + width].ravel() for r in range(rows) for q in range(columns)]
    return np.array(windows)
