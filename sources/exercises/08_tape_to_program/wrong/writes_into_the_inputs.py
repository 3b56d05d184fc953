# replaces: program
# loses: 1
# hint: You save an array by writing into x or y. They belong to the caller; and your own second call computes with
#   what is left of them.


def make_program(n):
    t, x_bar, y_bar = np.empty(n), np.empty(n), np.empty(n)

    def program(x, y):
        np.tanh(np.multiply(x, y, out=t), out=t)
        np.multiply(t, t, out=y_bar)
        np.subtract(1.0, y_bar, out=y_bar)
        np.multiply(y_bar, x, out=y_bar)
        np.multiply(y_bar, y, out=x_bar)
        np.add(x_bar, t, out=x_bar)
        np.multiply(y_bar, x, out=y_bar)
        np.multiply(x, 0.0, out=x)
        return x_bar, y_bar

    return program
