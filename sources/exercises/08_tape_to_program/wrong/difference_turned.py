# replaces: program
# loses: 3
# hint: 1 - t² and t² - 1 have opposite signs. In np.subtract(a, b) the second is taken away from the first.


def make_program(n):
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=t)
        np.tanh(t, out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(y_bar, 1.0, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)  # x (1 - t²), which both need
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
