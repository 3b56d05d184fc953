# replaces: sideways
# loses: 2
# hint: You step along the real axis, where x + 1e-30 is x. Step along the other one, by i h.


def complex_step(f, x, h=1e-30):
    return (f(x + h) - f(x)) / h
