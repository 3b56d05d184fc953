# replaces: slide
# loses: 2
# hint: Only the largest product is left of each window. The products are added up: this is a convolution, not
#   a pooling.


def slide(x, w):
    h, k = w.shape
    return np.array(
        [[np.max(x[r : r + h, q : q + k] * w) for q in range(x.shape[1] - k + 1)] for r in range(x.shape[0] - h + 1)]
    )
