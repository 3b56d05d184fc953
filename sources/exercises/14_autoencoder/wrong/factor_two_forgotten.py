# replaces: gradients
# loses: 5
# hint: Half of what it should be: the derivative of a square has a factor 2.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
