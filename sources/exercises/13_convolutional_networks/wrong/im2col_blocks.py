# replaces: im2col
# loses: 2
# hint: Your windows jump by their own size. They move by one pixel at a time, and overlap.


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    windows = [
        x[r : r + height, q : q + width].ravel() for r in range(0, rows, height) for q in range(0, columns, width)
    ]
    return np.array(windows)
