# replaces: x_adjoint
# loses: 3
# hint: Your frame is one pixel too wide on each side: a filter of height h hangs over by h - 1 at most.


def x_adjoint(y_bar, w):
    h, k = w.shape
    padded = np.pad(y_bar, ((h, h), (k, k)))
    return slide(padded, w[::-1, ::-1])
