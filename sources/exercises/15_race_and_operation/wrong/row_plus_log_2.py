# replaces: row
# loses: 2
# hint: At 0 the value should be 0. The sign of the last term is the opposite.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) + log(2)", "tanh(a)"
