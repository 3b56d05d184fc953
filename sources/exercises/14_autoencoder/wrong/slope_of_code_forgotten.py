# replaces: gradients
# loses: 5
# hint: You stop at the code. Between it and its bracket, where b is added, stands a sigmoid with the slope c (1 -
#   c).


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = W @ out_bar
    return np.outer(code, out_bar) + np.outer(code_bar, x), code_bar
