# replaces: row
# loses: 2
# hint: At 0 everything is right but the last number: ln 2 was asked for, and not 2.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - 2", "tanh(a)"
