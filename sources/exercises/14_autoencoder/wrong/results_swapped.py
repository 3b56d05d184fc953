# replaces: gradients
# loses: 6
# hint: The two results have changed places: the adjoint of W comes first, then that of b.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return code_bar, np.outer(code, out_bar) + np.outer(code_bar, x)
