# replaces: w_adjoint
# loses: 2
# hint: Your result is as large as y_bar. The filter is smaller by what is missing between x and y, plus one: rows
#   of x minus rows of y, plus 1.


def w_adjoint(x, y_bar):
    w = np.zeros(y_bar.shape)
    h, k = y_bar.shape
    for r in range(x.shape[0] - h + 1):
        for q in range(x.shape[1] - k + 1):
            w += x[r : r + h, q : q + k] * y_bar
    return w
