# replaces: row
# loses: 2
# hint: At 0 the value should be 0. The last term of the formula, ln 2, is missing.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a)))", "tanh(a)"
