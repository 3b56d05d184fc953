# replaces: sideways
# loses: 2
# hint: You took the size of f(x + ih) - f(x). It is that of both parts together, and only the imaginary one
#   belongs to f'(x): with a large h the real part shows. Nothing has to be subtracted.


def complex_step(f, x, h=1e-30):
    return abs(f(x + 1j * h) - f(x)) / h
