# replaces: judge
# loses: 2
# hint: You let a claim pass that is wrong by more than one: it is larger than the slope. Too large is as wrong as
#   too small. Where does an absolute value belong?


def is_right(f, df, x):
    witness = central(f, x, 1e-5)
    return witness - df(x) <= 1e-6 * (1 + abs(witness))
