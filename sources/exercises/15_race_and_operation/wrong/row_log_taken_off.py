# replaces: row
# loses: 2
# hint: At 0 the value should be 0: ln 2 - ln 2. In yours the logarithm is taken off as well: which sign has the
#   second term?


def log_cosh_row():
    return "abs(a) - log1p(exp(-2 * abs(a))) - log(2)", "tanh(a)"
