# replaces: central
# loses: 4
# hint: The sign is the opposite: you went from the right point to the left one.


def central(f, x, h):
    return (f(x - h) - f(x + h)) / (2 * h)
