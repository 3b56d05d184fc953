# replaces: gradients
# loses: 5
# hint: The derivative of the decoder's sigmoid, o (1 - o), is missing, so everything behind it is too large.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
