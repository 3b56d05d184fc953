# replaces: sideways
# loses: 2
# hint: The result is 0: f was called at points that are the same number to the computer, since x + 1e-30 rounds to
#   x; or x was left out. Step along the imaginary axis, from x, by i h.


def complex_step(f, x, h=1e-30):
    return (f(x + h) - f(x)) / h
