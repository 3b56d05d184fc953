# replaces: slopes
# loses: 2
# hint: The array `x` has changed: you moved an entry and did not put it back, and the array is the caller's own.
#   Work on a copy, or leave x alone and add a step.


def slopes(f, x, h=1e-5):
    result = np.zeros(len(x))
    for k in range(len(x)):
        x[k] += h
        above = f(x)
        x[k] -= 2 * h
        result[k] = (above - f(x)) / (2 * h)
    return result
