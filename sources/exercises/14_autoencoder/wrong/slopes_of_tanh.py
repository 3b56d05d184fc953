# replaces: gradients
# loses: 5
# hint: 1 - o² is the derivative of a tanh. That of a sigmoid is o (1 - o).


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * (1 - out**2)
    code_bar = (W @ out_bar) * (1 - code**2)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
