# replaces: slide
# loses: 2
# hint: You multiplied the sum of the pixels by the sum of the weights. Multiply each pixel by ITS weight first,
#   then add up.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width]) * np.sum(w)
    return y
