# replaces: gradients
# loses: 3
# hint: The decoder's share was multiplied by the slope of the encoder's sigmoid, which lies on another path.
#   The code itself was multiplied by W there: code times adjoint, and nothing else.


def gradients(x, W, b):
    code, out = copy(x, W, b)
    zo = 2 * (out - x) * out * (1 - out)
    zc = (W @ zo) * code * (1 - code)
    return np.outer(code * (1 - code), zo) + np.outer(zc, x), zc
