# replaces: program
# loses: 2
# hint: The numbers are right, but arrays are still made in each call: by an expression without `out=`, such as 1 -
#   t * t, or by an np.empty inside `program`.


def make_program(n):
    t, u, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.tanh(np.multiply(x, y, out=t), out=t)
        np.multiply(1 - t * t, x, out=u)
        np.multiply(u, y, out=x_bar)
        x_bar[...] = x_bar + t
        np.multiply(u, x, out=y_bar)
        return x_bar, y_bar

    return program
