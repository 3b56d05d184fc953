# replaces: slopes
# loses: 2
# hint: With an array of integers the steps get lost: zeros_like and copies of it hold integers, and 0.00001 is cut
#   off to 0. Make an array of floats first.


def slopes(f, x, h=1e-5):
    result = np.zeros(len(x))
    for k in range(len(x)):
        above, below = x.copy(), x.copy()
        above[k] += type(x[k])(h)
        below[k] -= type(x[k])(h)
        result[k] = (f(above) - f(below)) / (2 * h)
    return result
