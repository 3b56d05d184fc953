# replaces: slopes
# loses: 2
# hint: With whole numbers it fails: a copy of an array of integers is one of integers, too, and a step of
#   0.00001 is cut off in it. Make it an array of floats first.


def slopes(f, x, h=1e-5):
    result = []
    for k in range(len(x)):
        right, left = x.copy(), x.copy()
        right[k] += h
        left[k] -= h
        result.append((f(right) - f(left)) / (2 * h))
    return np.array(result)
