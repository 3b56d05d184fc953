# replaces: x_adjoint
# loses: 3
# hint: Only one of the two axes was reversed. Rotating by half a circle reverses rows and columns.


def x_adjoint(y_bar, w):
    height, width = w.shape
    padded = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
    turned = w[::-1]
    x_bar = np.zeros((padded.shape[0] - height + 1, padded.shape[1] - width + 1))
    for r in range(x_bar.shape[0]):
        for q in range(x_bar.shape[1]):
            x_bar[r, q] = np.sum(padded[r : r + height, q : q + width] * turned)
    return x_bar
