# replaces: x_adjoint
# loses: 3
# hint: Each y gives everything to the upper left pixel of its window. Each pixel of the window was multiplied by a
#   weight of its own: it gets that weight's part.


def x_adjoint(y_bar, w):
    h, k = w.shape
    x = np.zeros((y_bar.shape[0] + h - 1, y_bar.shape[1] + k - 1))
    x[: y_bar.shape[0], : y_bar.shape[1]] = y_bar * w.sum()
    return x
