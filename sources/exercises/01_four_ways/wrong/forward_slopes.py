# replaces: slopes
# loses: 2
# hint: Nearly right: you used a forward difference, whose error is of the size of h. Step to both sides, and divide
#   by 2h.


def slopes(f, x, h=1e-5):
    x = np.array(x, dtype=float)
    result = np.zeros_like(x)
    for k in range(x.size):
        step = np.zeros_like(x)
        step[k] = h
        result[k] = (f(x + step) - f(x)) / h
    return result
