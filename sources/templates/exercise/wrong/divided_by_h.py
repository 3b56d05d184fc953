# replaces: central
# loses: 3
# hint: Twice too large: from x - h to x + h it is farther than from x to x + h. How far?


def central_difference(f, x, h):
    return (f(x + h) - f(x - h)) / h
