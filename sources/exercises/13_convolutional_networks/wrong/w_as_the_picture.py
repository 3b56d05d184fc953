# replaces: w_adjoint
# loses: 2
# hint: That is larger than the filter: x_adjoint goes back to the picture. The filter's adjoint slides y_bar over
#   x.


def w_adjoint(x, y_bar):
    return x_adjoint(x, y_bar)
