# replaces: gradients
# loses: 3
# hint: The adjoint of b is right, that of W has the encoder's share only. The last product with W is the nearest
#   to the error: which column times which row is its share?


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code_bar, x), code_bar
