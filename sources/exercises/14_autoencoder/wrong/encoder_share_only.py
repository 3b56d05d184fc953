# replaces: gradients
# loses: 3
# hint: The encoder's share alone: code_bar times the picture. W was used a second time, in the decoder: which
#   column times which row is its share there?


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code_bar, x), code_bar
