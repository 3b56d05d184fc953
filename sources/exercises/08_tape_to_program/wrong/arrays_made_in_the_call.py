# replaces: program
# loses: 2
# hint: Every call makes the arrays anew. They should be made once, in make_program, outside `program`.


def make_program(n):
    def program(x, y):
        t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)
        np.multiply(x, y, out=t)
        np.tanh(t, out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(1.0, y_bar, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
