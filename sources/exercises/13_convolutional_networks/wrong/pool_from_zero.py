# replaces: pool_adjoint
# loses: 2
# hint: The square of negative pixels has no winner in yours. Does your search for the largest start at 0? Start
#   with the first pixel.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            best, place = 0.0, (2 * r, 2 * q)
            for a in range(2):
                for b in range(2):
                    if x[2 * r + a, 2 * q + b] > best:
                        best, place = x[2 * r + a, 2 * q + b], (2 * r + a, 2 * q + b)
            x_bar[place] = y_bar[r, q]
    return x_bar
