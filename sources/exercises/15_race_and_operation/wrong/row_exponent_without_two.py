# replaces: row
# loses: 2
# hint: At 1 the value is wrong, at 0 it is right: the exponent is -2 |a|, and not -|a|.


def log_cosh_row():
    return "abs(a) + log1p(exp(-abs(a))) - log(2)", "tanh(a)"
