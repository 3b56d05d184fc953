# replaces: row
# loses: 2
# hint: The sign is the slope of |a| alone. The second term changes with a as well; together they make a slope
#   that goes smoothly from -1 to 1.


def log_cosh_row():
    return "abs(a) + log1p(exp(-2 * abs(a))) - log(2)", "sign(a)"
