# replaces: slide
# loses: 2
# hint: Only one product counts in the end: the products have to be added up, and yours overwrite each other, or
#   only the largest is taken.


def slide(x, w):
    height, width = w.shape
    y = np.zeros((x.shape[0] - height + 1, x.shape[1] - width + 1))
    for a in range(height):
        for b in range(width):
            y = w[a, b] * x[a : a + y.shape[0], b : b + y.shape[1]]
    return y
