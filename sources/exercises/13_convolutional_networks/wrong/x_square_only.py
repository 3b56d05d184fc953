# replaces: x_adjoint
# loses: 3
# hint: Right for square filters. The frame has height - 1 rows above and below, but width - 1 columns at the
#   sides.


def x_adjoint(y_bar, w):
    height, width = w.shape
    padded, turned = np.pad(y_bar, height - 1), w[::-1, ::-1]
    x_bar = np.zeros((padded.shape[0] - height + 1, padded.shape[1] - width + 1))
    for r in range(x_bar.shape[0]):
        for q in range(x_bar.shape[1]):
            x_bar[r, q] = np.sum(padded[r : r + height, q : q + width] * turned)
    return x_bar
