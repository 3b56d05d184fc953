# replaces: program
# loses: 2
# hint: x_bar has two terms: t itself, and x (1 - t²) y. The first one is missing.


def make_program(n):
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=t)
        np.tanh(t, out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(1.0, y_bar, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)  # x (1 - t²), which both need
        np.multiply(y_bar, y, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
