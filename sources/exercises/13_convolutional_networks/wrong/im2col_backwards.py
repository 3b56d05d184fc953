# replaces: im2col
# loses: 2
# hint: The pixels of each window are in reverse order.


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    windows = [x[r : r + height, q : q + width].ravel()[::-1] for r in range(rows) for q in range(columns)]
    return np.array(windows)
