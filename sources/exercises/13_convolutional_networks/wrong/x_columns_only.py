# replaces: x_adjoint
# loses: 3
# hint: Only one of the two axes was reversed. Rotating by half a circle reverses rows and columns.


def x_adjoint(y_bar, w):
    height, width = w.shape
    framed = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
    return slide(framed, w[:, ::-1])
