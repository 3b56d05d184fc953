# replaces: sideways
# loses: 2
# hint: The sign: you stepped from x to x - ih, so the imaginary part is -h f'(x). Step the other way.


def complex_step(f, x, h=1e-30):
    return f(x - 1j * h).imag / h
