# replaces: row
# loses: 2
# hint: For negative a the exponent is positive in yours, and too large for a float: the absolute value is missing.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * a)) - log(2)", "tanh(a)"
