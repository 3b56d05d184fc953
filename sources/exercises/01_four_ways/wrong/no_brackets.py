# replaces: central
# loses: 4
# hint: Python reads a / 2 * h from left to right: it divides by 2, and then multiplies by h. Where do brackets
#   belong?


def central(f, x, h):
    return (f(x + h) - f(x - h)) / 2 * h
