# replaces: slide
# loses: 2
# hint: Row and column have changed places: x[r + a, q + b], with the row r first.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[q : q + height, r : r + width] * w)
    return y
