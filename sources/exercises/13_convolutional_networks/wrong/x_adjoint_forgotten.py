# replaces: x_adjoint
# loses: 3
# hint: Every output counts alike in yours: y_bar does not occur as a factor. What each output sends back is its own
#   adjoint times the filter.


def x_adjoint(y_bar, w):
    (rows, columns), (height, width) = y_bar.shape, w.shape
    x_bar = np.zeros((rows + height - 1, columns + width - 1))
    for r in range(rows):
        for q in range(columns):
            x_bar[r : r + height, q : q + width] += w
    return x_bar
