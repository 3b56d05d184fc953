# replaces: judge
# loses: 2
# hint: You accept a derivative that is wrong by a thousandth. A difference quotient is far more accurate than that:
#   how much does your line allow, with Python's order of operations?


def is_right(f, df, x):
    witness = central(f, x, 1e-5)
    return abs(df(x) - witness) <= 1e-2 * (1 + abs(witness))
