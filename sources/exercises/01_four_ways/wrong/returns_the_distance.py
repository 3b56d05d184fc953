# replaces: judge
# loses: 2
# hint: True or False was asked for, and you return a number: the distance itself. Compare it with what is allowed.


def is_right(f, df, x):
    slope = central(f, x, 1e-5)
    return abs(df(x) - slope)
