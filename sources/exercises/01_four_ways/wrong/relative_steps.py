# replaces: slopes
# loses: 2
# hint: Your steps are x times h, and you divide by h: each entry is as many times too large as its x. Either
#   take the same h everywhere, or divide by the step that was made.


def slopes(f, x, h=1e-5):
    result = np.zeros(len(x))
    for k in range(len(x)):
        moved = np.array(x, float)
        moved[k] = x[k] * (1 + h)
        result[k] = (f(moved) - f(x)) / h
    return result
