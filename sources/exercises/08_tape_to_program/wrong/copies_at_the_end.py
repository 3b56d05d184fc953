# replaces: program
# loses: 2
# hint: Two arrays are new in each call: are they copies of the results, or two expressions without `out=`? Return
#   the arrays that make_program made.


def make_program(n):
    t, u, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.tanh(np.multiply(x, y, out=t), out=t)
        np.subtract(1.0, np.multiply(t, t, out=u), out=u)
        np.multiply(u, x, out=u)
        np.add(np.multiply(u, y, out=x_bar), t, out=x_bar)
        np.multiply(u, x, out=y_bar)
        return x_bar.copy(), y_bar.copy()

    return program
