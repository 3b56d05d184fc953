# replaces: judge
# loses: 2
# hint: The complex step is a good method, but not for |x|: there it says 0. (That is a hidden test.) The central
#   difference works for any function.


def is_right(f, df, x):
    witness = complex_step(f, x)
    return abs(df(x) - witness) <= 1e-6 * (1 + abs(witness))
