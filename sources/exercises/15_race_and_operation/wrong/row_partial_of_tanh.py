# replaces: row
# loses: 2
# hint: 1 - v² is the derivative of tanh, whose value is v. Here v is ln cosh a: its derivative is sinh a / cosh a.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - v * v"
