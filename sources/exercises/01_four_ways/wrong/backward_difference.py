# replaces: central
# loses: 4
# hint: 9.25 is what a backward difference gives: it ends at x. The central one goes from x - h to x + h.


def central(f, x, h):
    return (f(x) - f(x - h)) / h
