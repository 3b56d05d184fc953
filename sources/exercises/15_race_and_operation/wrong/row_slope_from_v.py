# replaces: row
# loses: 2
# hint: The derivative of ln cosh a is sinh a / cosh a. It cannot be had from v by 1 - exp(-v): check at a =
#   1.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - exp(-v)"
