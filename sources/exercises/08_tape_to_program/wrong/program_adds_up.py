# replaces: program
# loses: 1
# hint: The first call is right, and each call adds to what the last one left. Adding up belongs into one call: the
#   first term overwrites.


def make_program(n):
    t, x_bar, y_bar, w = np.empty(n), np.zeros(n), np.zeros(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=t)
        np.tanh(t, out=t)
        np.add(x_bar, t, out=x_bar)
        np.multiply(t, t, out=w)
        np.subtract(1, w, out=w)
        np.multiply(w, x, out=w)
        np.multiply(w, y, out=t)
        np.add(x_bar, t, out=x_bar)
        np.multiply(w, x, out=w)
        np.add(y_bar, w, out=y_bar)
        return x_bar, y_bar

    return program
