# replaces: sideways
# loses: 2
# hint: The result is a complex number: you took a difference quotient. The imaginary part of f(x + ih) is enough,
#   without any subtraction.


def complex_step(f, x, h=1e-30):
    return (f(x + 1j * h) - f(x)) / (1j * h)
