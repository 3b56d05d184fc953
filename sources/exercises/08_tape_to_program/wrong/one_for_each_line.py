# replaces: program
# loses: 1
# hint: Nothing is allocated in the calls, but every intermediate result has an array of its own. Draw the bars:
#   which of them is read for the last time when the next one is written?


def make_program(n):
    product, t, squared, slope, v1_bar, part, x_bar, y_bar = (np.empty(n) for _ in range(8))

    def program(x, y):
        np.multiply(x, y, out=product)
        np.tanh(product, out=t)
        np.multiply(t, t, out=squared)
        np.subtract(1.0, squared, out=slope)
        np.multiply(slope, x, out=v1_bar)
        np.multiply(v1_bar, y, out=part)
        np.add(part, t, out=x_bar)
        np.multiply(v1_bar, x, out=y_bar)
        return x_bar, y_bar

    return program
