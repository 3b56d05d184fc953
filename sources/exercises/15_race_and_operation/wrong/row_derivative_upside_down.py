# replaces: row
# loses: 2
# hint: Upside down: the derivative is sinh over cosh.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 / tanh(a)"
