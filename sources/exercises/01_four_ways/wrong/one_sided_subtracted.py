# replaces: central
# loses: 4
# hint: You took the difference of the two one-sided slopes, which is what the SECOND derivative is made of.
#   The central slope is their mean.


def central(f, x, h):
    return ((f(x + h) - f(x)) / h - (f(x) - f(x - h)) / h) / 2
