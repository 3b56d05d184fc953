# replaces: slopes
# loses: 2
# hint: The derivative is 0: the two points are one and the same array. `y = x` gives an array a second name; a copy
#   is another array.


def slopes(f, x, h=1e-5):
    x = np.array(x, dtype=float)
    result = np.zeros_like(x)
    for k in range(x.size):
        y = x
        y[k] += h
        result[k] = (f(y) - f(x)) / h
        y[k] -= h
    return result
