# replaces: central
# loses: 4
# hint: 15.25 is what a forward difference gives: it starts at x. The central difference starts at x - h.


def central(f, x, h):
    return (f(x + h) - f(x)) / h
