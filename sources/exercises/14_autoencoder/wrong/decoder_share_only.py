# replaces: gradients
# loses: 3
# hint: The adjoint of b is right, that of W has the decoder's share only. W was used a second time, in the encoder:
#   add the share from there.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    out_bar = 2 * (out - x) * out * (1 - out)
    code_bar = (W @ out_bar) * code * (1 - code)
    return np.outer(code, out_bar), code_bar
