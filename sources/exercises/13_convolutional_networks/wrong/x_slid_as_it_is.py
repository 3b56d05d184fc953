# replaces: x_adjoint
# loses: 3
# hint: One output sent its adjoint back, and it arrived as the filter rotated by half a circle. It must arrive as
#   the filter is. If you slide over y_bar: which filter must slide?


def x_adjoint(y_bar, w):
    height, width = w.shape
    framed = np.pad(y_bar, ((height - 1, height - 1), (width - 1, width - 1)))
    return slide(framed, w)
