# replaces: gradients
# loses: 3
# hint: The encoder's share of W is code_bar times what went INTO the encoder: x, and not the copy.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, out), code_bar
