# replaces: pool_adjoint
# loses: 2
# hint: The adjoint of x is as large as x, and not as y.


def pool_adjoint(x, y_bar):
    return y_bar.copy()
