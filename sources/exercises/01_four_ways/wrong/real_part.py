# replaces: sideways
# loses: 2
# hint: You took the real part and divided it by h: it holds f(x), and the quotient is enormous. Which part holds
#   the derivative?


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).real / h
