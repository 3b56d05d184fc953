# replaces: sideways
# loses: 2
# hint: The imaginary step was added to the VALUE of f, and comes back as it went in. It has to go through f:
#   into x.


def complex_step(f, x, h=1e-30):
    return (f(x) + 1j * h).imag / h
