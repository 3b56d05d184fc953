# replaces: gradients
# loses: 5
# hint: The derivative of the encoder's sigmoid, c (1 - c), is missing: b stands inside it.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = W @ out_bar
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
