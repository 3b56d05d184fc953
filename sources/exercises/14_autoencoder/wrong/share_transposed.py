# replaces: gradients
# loses: 6
# hint: The decoder's share has the wrong shape, or is transposed: W is (code, pixels), so the code is the column
#   and the pixels are the row.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(out_bar, code) + np.outer(code_bar, x), code_bar
