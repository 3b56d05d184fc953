# replaces: row
# loses: 2
# hint: Right for positive a. For negative a, ln cosh falls: its derivative is negative there, as the hyperbolic
#   tangent is without any bars.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "tanh(abs(a))"
