# replaces: row
# loses: 2
# hint: Near 0 that is right, but cosh of 1000 is infinite, and so is its logarithm. Use the other form, in which
#   only exp of a negative number occurs.


def log_cosh_row():
    return "log(cosh(a))", "tanh(a)"
