# replaces: judge
# loses: 2
# hint: You accept a claim that is smaller than the derivative. Too small is as wrong as too large: where does an
#   absolute value belong?


def is_right(f, df, x):
    slope = central(f, x, 1e-5)
    return df(x) - slope <= 1e-6 * (1 + abs(slope))
