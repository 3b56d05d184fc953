# replaces: program
# loses: 3
# hint: Both results are one array: what you wrote last is in both. The two that are returned must be different
#   arrays.


def make_program(n):
    a, b = np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=a)
        np.tanh(a, out=a)
        np.multiply(a, a, out=b)
        np.subtract(1, b, out=b)
        np.multiply(b, x, out=b)
        x_bar = np.multiply(b, y, out=b)
        np.add(a, x_bar, out=x_bar)
        y_bar = np.multiply(b, x, out=b)
        return x_bar, y_bar

    return program
