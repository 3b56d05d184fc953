# replaces: pool_adjoint
# loses: 2
# hint: At a tie you share the adjoint among the equal pixels. That is a reasonable rule, too, but not the one asked
#   for: the first takes all.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            won = square == square.max()
            x_bar[2 * r : 2 * r + 2, 2 * q : 2 * q + 2] = won / won.sum() * y_bar[r, q]
    return x_bar
