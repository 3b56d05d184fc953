# replaces: row
# loses: 2
# hint: 1 - tanh a is something else. The derivative of ln cosh a is sinh a over cosh a.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - tanh(a)"
