# replaces: sideways
# loses: 2
# hint: That is almost 0: the imaginary part holds h f'(x), and with such a tiny h that is next to nothing. What is
#   left to do?


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).imag
