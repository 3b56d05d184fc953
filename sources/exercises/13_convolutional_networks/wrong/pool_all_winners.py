# replaces: pool_adjoint
# loses: 2
# hint: At a tie each of the equal pixels got the whole adjoint, and together they get more than arrived. Only the
#   first gets it.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            x_bar[2 * r : 2 * r + 2, 2 * q : 2 * q + 2] = (square == square.max()) * y_bar[r, q]
    return x_bar
