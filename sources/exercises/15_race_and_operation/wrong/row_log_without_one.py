# replaces: row
# loses: 2
# hint: log1p(u) is ln(1 + u). You left out the 1, or took the plain log.


def log_cosh_row():
    return "abs(a) + log(exp(-2 * abs(a))) - log(2)", "tanh(a)"
