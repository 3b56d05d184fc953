# replaces: judge
# loses: 2
# hint: Your limit grows with the value of f. That of a function may be large where its slope is not: let the
#   limit grow with the derivative.


def is_right(f, df, x):
    slope = central(f, x, 1e-5)
    return abs(df(x) - slope) <= 1e-6 * (1 + abs(f(x)))
