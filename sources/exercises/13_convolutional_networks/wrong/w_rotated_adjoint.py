# replaces: w_adjoint
# loses: 2
# hint: The adjoint was rotated. On the way to the filter nothing is: y_bar slides over x as it is.


def w_adjoint(x, y_bar):
    return slide(x, y_bar[::-1, ::-1])
