# replaces: sideways
# loses: 2
# hint: You multiplied by h, which makes a tiny number tinier still. The imaginary part is h f'(x): what takes the h
#   away?


def complex_step(f, x, h=1e-30):
    return f(x + 1j * h).imag * h
