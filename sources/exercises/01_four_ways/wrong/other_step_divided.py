# replaces: sideways
# loses: 2
# hint: The imaginary part is divided by another number than the h of the step. Both are the parameter h, so do not
#   write either of them as a number.


def complex_step(f, x, h=1e-30):
    return f(x + 1e-30j).imag / 1e-20
