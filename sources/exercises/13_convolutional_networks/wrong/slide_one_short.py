# replaces: slide
# loses: 2
# hint: A row and a column are missing: the last position of the filter ends exactly at the edge. In 3 rows, how
#   many places are there for a filter of 2?


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height, x.shape[1] - width))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * w)
    return y
