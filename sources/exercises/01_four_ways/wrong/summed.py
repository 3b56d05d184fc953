# replaces: slopes
# loses: 2
# hint: One number came back: the sum of the partial derivatives. Asked for is an array with one for each entry.


def slopes(f, x, h=1e-5):
    x = np.array(x, dtype=float)
    result = np.zeros_like(x)
    for k in range(x.size):
        step = np.zeros_like(x)
        step[k] = h
        result[k] = (f(x + step) - f(x - step)) / (2 * h)
    return sum(result)
