# replaces: slide
# loses: 2
# hint: You took the mean of the products. Their sum was asked for.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.mean(x[r : r + height, q : q + width] * w)
    return y
