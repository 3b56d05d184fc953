# replaces: slide
# loses: 2
# hint: Your result is as large as the picture, so somewhere your filter hangs over the edge. Here it stays inside.


def slide(x, w):
    height, width = w.shape
    padded = np.pad(x, ((0, height - 1), (0, width - 1)))
    y = np.zeros(x.shape)
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(padded[r : r + height, q : q + width] * w)
    return y
