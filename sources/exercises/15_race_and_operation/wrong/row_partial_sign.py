# replaces: row
# loses: 2
# hint: The sign is the derivative of |a| alone. The second term changes with a as well.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sign(a)"
