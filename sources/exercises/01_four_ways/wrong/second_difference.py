# replaces: central
# loses: 4
# hint: That is the formula of the SECOND derivative: f(x + h) - 2 f(x) + f(x - h), divided by h². For the slope,
#   f(x) itself does not occur.


def central(f, x, h):
    return (f(x + h) - 2 * f(x) + f(x - h)) / h**2
