# replaces: gradient
# loses: 2
# hint: Numbers are fine, but a dual number does not get through math.cos, which insists on a float. NumPy's
#   functions take duals.


def gradient(x, y):
    p = x * y
    return y * y + math.cos(x), p + y * x
