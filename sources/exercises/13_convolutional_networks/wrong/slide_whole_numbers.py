# replaces: slide
# loses: 2
# hint: Your result is an array of whole numbers, and fractions are cut off. Pictures and filters have fractions:
#   make it an array of floats.


def slide(x, w):
    h, k = w.shape
    y = np.zeros((x.shape[0] - h + 1, x.shape[1] - k + 1), dtype=int)
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + h, q : q + k] * w)
    return y
