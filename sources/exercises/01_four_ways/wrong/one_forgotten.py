# replaces: judge
# loses: 2
# hint: The derivative is 0 here, and your limit is 0 as well: 10⁻⁶ times the derivative allows nothing. What does
#   the 1 in the rule do?


def is_right(f, df, x):
    slope = central(f, x, 1e-5)
    return abs(df(x) - slope) <= 1e-6 * abs(slope)
