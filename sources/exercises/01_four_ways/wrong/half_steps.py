# replaces: central
# loses: 4
# hint: You went half as far in both directions, from x - h/2 to x + h/2, and divided by 2h. Which two points does
#   the formula name?


def central(f, x, h):
    return (f(x + h / 2) - f(x - h / 2)) / (2 * h)
