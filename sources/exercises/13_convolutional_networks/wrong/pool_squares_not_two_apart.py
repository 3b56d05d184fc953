# replaces: pool_adjoint
# loses: 2
# hint: The square is right, but the place where you write is not: squares begin two pixels apart, at 2r and 2q.


def pool_adjoint(x, y_bar):
    x_bar = np.zeros(x.shape)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            square = x[2 * r : 2 * r + 2, 2 * q : 2 * q + 2]
            a, b = divmod(int(np.argmax(square)), 2)  # argmax names the first of several
            x_bar[r + a, q + b] = y_bar[r, q]
    return x_bar
