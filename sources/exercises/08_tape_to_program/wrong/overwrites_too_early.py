# replaces: program
# loses: 2
# hint: t is overwritten by 1 - t², and then added as if it were still t. It is needed until it is added to x_bar:
#   until then its array is taken.


def make_program(n):
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.tanh(np.multiply(x, y, out=t), out=t)
        np.subtract(1.0, np.multiply(t, t, out=t), out=t)
        np.multiply(t, x, out=y_bar)
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
