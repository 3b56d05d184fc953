# replaces: slide
# loses: 2
# hint: The window is as wide as the filter is HIGH in your loops. For a filter that is not square, take its width
#   for the second one.


def slide(x, w):
    h, k = w.shape
    y = np.zeros((x.shape[0] - h + 1, x.shape[1] - k + 1))
    for r in range(y.shape[0]):
        for q in range(y.shape[1]):
            for a in range(h):
                for b in range(h):
                    y[r, q] += x[r + a, q + b] * w[a, b]
    return y
