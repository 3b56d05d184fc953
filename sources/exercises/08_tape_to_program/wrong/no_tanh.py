# replaces: program
# loses: 2
# hint: The product x y stands where tanh(x y) should be. Is there a call of np.tanh, and does its result go where
#   you read it?


def make_program(n):
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(1.0, y_bar, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)  # x (1 - t²), which both need
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
