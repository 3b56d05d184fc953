# replaces: central
# loses: 4
# hint: Twice too large. From x - h to x + h it is not h.


def central(f, x, h):
    return (f(x + h) - f(x - h)) / h
