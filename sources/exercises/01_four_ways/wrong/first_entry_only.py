# replaces: slopes
# loses: 2
# hint: Every entry is the derivative with respect to the first input. Is it always the same entry that moves?


def slopes(f, x, h=1e-5):
    x = np.array(x, dtype=float)
    result = np.zeros_like(x)
    for k in range(x.size):
        step = np.zeros_like(x)
        step[0] = h
        result[k] = (f(x + step) - f(x - step)) / (2 * h)
    return result
