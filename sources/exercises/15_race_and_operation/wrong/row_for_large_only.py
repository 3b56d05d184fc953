# replaces: row
# loses: 2
# hint: That is what ln cosh looks like far away from 0. Near 0 the middle term counts, too: at 0 the value is
#   0.


def log_cosh_row():
    return "abs(a) - log(2)", "sign(a)"
