# replaces: slide
# loses: 2
# hint: The filter was transposed: its rows became columns.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * w.T)
    return y
