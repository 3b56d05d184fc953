# replaces: row
# loses: 2
# hint: You differentiated cosh, and not its logarithm: the derivative of ln u is u'/u.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sinh(a)"
