# replaces: gradients
# loses: 3
# hint: The adjoint of b was multiplied by the code. b is only added: it gets the adjoint of z_c as it is.


def gradients(x, W, b):
    c, o = copy(x, W, b)
    zo = 2 * (o - x) * o * (1 - o)
    zc = (W @ zo) * c * (1 - c)
    return np.outer(zo, c).T + np.outer(zc, x), c * zc
