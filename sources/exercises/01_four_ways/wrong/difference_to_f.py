# replaces: sideways
# loses: 2
# hint: You took the difference to f(x), as for a difference quotient, and its real part. Here nothing is
#   subtracted: f' stands in the imaginary part, multiplied by h.


def complex_step(f, x, h=1e-30):
    return ((f(x + 1j * h) - f(x)) / h).real
