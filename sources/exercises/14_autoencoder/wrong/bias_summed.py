# replaces: gradients
# loses: 3
# hint: The entries of b's adjoint were added up. There is one for each number of the code.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar.sum()
