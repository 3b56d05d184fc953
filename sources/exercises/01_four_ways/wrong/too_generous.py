# replaces: judge
# loses: 2
# hint: The claim was wrong by a thousandth, and you let it pass. A central difference is far better than that.


def is_right(f, df, x):
    witness = central(f, x, 1e-5)
    return abs(df(x) - witness) <= 1e-2 * (1 + abs(witness))
