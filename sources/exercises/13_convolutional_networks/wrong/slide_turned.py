# replaces: slide
# loses: 2
# hint: That is the mathematicians' convolution: they rotate the filter by half a circle first. Here it is used as
#   it is.


def slide(x, w):
    height, width = w.shape
    turned = w[::-1, ::-1]
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r : r + height, q : q + width] * turned)
    return y
