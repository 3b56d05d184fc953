# replaces: slopes
# loses: 2
# hint: x is moved for each entry, and never moved back: the later slopes are taken beside the point. Set the
#   entry back, or take a new array each time.


def slopes(f, x, h=1e-5):
    x = np.array(x, float)
    result = np.zeros(len(x))
    for k in range(len(x)):
        x[k] += h
        high = f(x)
        x[k] -= 2 * h
        result[k] = (high - f(x)) / (2 * h)
    return result
