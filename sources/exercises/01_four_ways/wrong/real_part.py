# replaces: sideways
# loses: 2
# hint: That is the real part, divided by h: it holds f(x). In which part is the derivative alone?


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).real / h
