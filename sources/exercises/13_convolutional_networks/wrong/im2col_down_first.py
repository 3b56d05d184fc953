# replaces: im2col
# loses: 2
# hint: The second row should be the window to the right of the first, and yours is the one below it. Which of the
#   two loops is the outer one?


def im2col(x, height, width):
    rows, columns = x.shape[0] - height + 1, x.shape[1] - width + 1
    return np.array([x[r : r + height, q : q + width].ravel() for q in range(columns) for r in range(rows)])
