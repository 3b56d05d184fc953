# replaces: pool_adjoint
# loses: 2
# hint: At a tie the last one wins. Is there a >= that should be a >?


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            best, place = -np.inf, None
            for a in range(2):
                for b in range(2):
                    if x[2 * r + a, 2 * q + b] >= best:
                        best, place = x[2 * r + a, 2 * q + b], (2 * r + a, 2 * q + b)
            x_bar[place] = y_bar[r, q]
    return x_bar
