# replaces: x_adjoint
# loses: 3
# hint: One output sent its adjoint back, and it arrived as the filter rotated by half a circle. It must arrive as
#   the filter is. If you slide over y_bar: which filter must slide?


def x_adjoint(y_bar, w):
    height, width = w.shape
    padded = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
    x_bar = np.zeros((padded.shape[0] - height + 1, padded.shape[1] - width + 1))
    for r in range(x_bar.shape[0]):
        for q in range(x_bar.shape[1]):
            x_bar[r, q] = np.sum(padded[r : r + height, q : q + width] * w)
    return x_bar
