# replaces: gradient
# loses: 2
# hint: Numbers are fine, but math.cos does not take a dual number: it insists on a float. NumPy's functions take
#   duals.


def gradient(x, y):
    p = x * y
    return y * y + math.cos(x), p + y * x
