# replaces: slide
# loses: 2
# hint: Your filter jumps by its own size, as pooling does. It moves by one pixel at a time, and its windows
#   overlap.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] // height, x.shape[1] // width))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            y[r, q] = np.sum(x[r * height : (r + 1) * height, q * width : (q + 1) * width] * w)
    return y
