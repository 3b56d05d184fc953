# replaces: central
# loses: 4
# hint: Twice what it should be. How far is it from x - h to x + h?


def central(f, x, h):
    return (f(x + h) - f(x - h)) / h
