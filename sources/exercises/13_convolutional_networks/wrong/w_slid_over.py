# replaces: w_adjoint
# loses: 2
# hint: You slid the large picture over the small adjoint. The other way round: y_bar is the filter here.


def w_adjoint(x, y_bar):
    return slide(y_bar, x)
