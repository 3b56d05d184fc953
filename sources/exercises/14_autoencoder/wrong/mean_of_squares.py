# replaces: gradients
# loses: 5
# hint: Too small, by the number of pixels: the error is the SUM of the squares, and not their mean.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) / x.size * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
