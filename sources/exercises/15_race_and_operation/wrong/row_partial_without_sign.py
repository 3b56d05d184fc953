# replaces: row
# loses: 2
# hint: Right for positive a. The derivative of |a| in the exponent is a sign, too: the second term needs it. Or
#   differentiate ln cosh a, where it is short.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sign(a) - 2 * exp(-2 * abs(a)) / (1 + exp(-2 * abs(a)))"
