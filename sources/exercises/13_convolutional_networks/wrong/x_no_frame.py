# replaces: x_adjoint
# loses: 3
# hint: The adjoint of the picture is as large as the picture, and yours is smaller than y_bar. How wide a frame of
#   zeros does y_bar need, so that the pixel in the corner is met once?


def x_adjoint(y_bar, w):
    height, width = w.shape
    turned = w[::-1, ::-1]
    x_bar = np.zeros((y_bar.shape[0] - height + 1, y_bar.shape[1] - width + 1))
    for r in range(x_bar.shape[0]):
        for q in range(x_bar.shape[1]):
            x_bar[r, q] = np.sum(y_bar[r : r + height, q : q + width] * turned)
    return x_bar
