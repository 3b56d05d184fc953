# replaces: judge
# loses: 2
# hint: df is a function: it has to be called at x to give a number.


def is_right(f, df, x):
    slope = central(f, x, 1e-5)
    return abs(df - slope) <= 1e-6 * (1 + abs(slope))
