# replaces: im2col
# loses: 2
# hint: Each window is still a square of its own. A row of the matrix is flat: ravel().


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    windows = [x[r : r + height, q : q + width] for r in range(rows) for q in range(columns)]
    return np.array(windows)
