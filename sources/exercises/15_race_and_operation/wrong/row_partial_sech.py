# replaces: row
# loses: 2
# hint: That is the second derivative. The first one is sinh a over cosh a, which has a name.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "1 - tanh(a) ** 2"
