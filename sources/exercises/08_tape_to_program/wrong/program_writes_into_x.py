# replaces: program
# loses: 1
# hint: x holds something else after the call: a result was written into the caller's array. Write into arrays of
#   your own only.


def make_program(n):
    a, b = np.empty(n), np.empty(n)

    def program(x, y):
        np.multiply(x, y, out=a)
        np.tanh(a, out=a)
        np.multiply(a, a, out=b)
        np.subtract(1, b, out=b)
        np.multiply(b, x, out=b)
        np.multiply(b, x, out=x)
        np.multiply(b, y, out=b)
        np.add(a, b, out=a)
        return a, x

    return program
