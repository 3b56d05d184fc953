# replaces: judge
# loses: 2
# hint: You accept a derivative that is larger than it should be. Too large is as wrong as too small: where does an
#   absolute value belong?


def is_right(f, df, x):
    witness = central(f, x, 1e-5)
    return witness - df(x) <= 1e-6 * (1 + abs(witness))
