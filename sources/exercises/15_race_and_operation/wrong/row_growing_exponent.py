# replaces: row
# loses: 2
# hint: exp of a positive number: too large for a float far away from 0. The exponent is -2 |a|.


def log_cosh_row():
    return "abs(a) + log1p(exp(2 * abs(a))) - log(2)", "tanh(a)"
