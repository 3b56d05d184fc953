# replaces: row
# loses: 2
# hint: In the derivative, a is the input and v the value. You took tanh of the value.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(v)"
