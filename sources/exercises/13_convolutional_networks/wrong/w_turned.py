# replaces: w_adjoint
# loses: 2
# hint: The right numbers in the wrong places: rotated by half a circle. Only on the way back to the picture is
#   something rotated; here y_bar slides over x as it is.


def w_adjoint(x, y_bar):
    rows, columns = y_bar.shape
    height, width = x.shape[0] - rows + 1, x.shape[1] - columns + 1
    w_bar = np.zeros((height, width))
    for r in range(rows):
        for q in range(columns):
            w_bar += y_bar[r, q] * x[r : r + height, q : q + width]
    return w_bar[::-1, ::-1]
