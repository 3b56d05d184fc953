# replaces: sideways
# loses: 2
# hint: Half of it: you divide by 2h, but only one step of size h was taken, and nothing was subtracted.


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).imag / (2 * h)
