# replaces: im2col
# loses: 2
# hint: Height and width have changed places somewhere. With square filters nobody notices.


def im2col(x, height, width):
    rows, columns = x.shape[0] - width + 1, x.shape[1] - height + 1
    return np.array([x[r : r + width, q : q + height].ravel() for r in range(rows) for q in range(columns)])
