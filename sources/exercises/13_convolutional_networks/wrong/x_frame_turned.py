# replaces: x_adjoint
# loses: 3
# hint: The frame is as wide above and below as it should be left and right: height and width have changed places.


def x_adjoint(y_bar, w):
    h, k = w.shape
    padded = np.pad(y_bar, ((k - 1, k - 1), (h - 1, h - 1)))
    return slide(padded, w[::-1, ::-1])
