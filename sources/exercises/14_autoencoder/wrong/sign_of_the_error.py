# replaces: gradients
# loses: 5
# hint: The sign is the opposite: the derivative of (o - x)² with respect to o is 2 (o - x), and not 2 (x - o).


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (x - out) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
