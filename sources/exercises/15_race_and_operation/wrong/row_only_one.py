# replaces: row
# loses: 2
# hint: Two texts were asked for, the value and the partial derivative, separated by a comma.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)"
