# replaces: sideways
# loses: 2
# hint: The right part, but it holds h f'(x): with such a tiny h that is next to nothing.


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).imag
