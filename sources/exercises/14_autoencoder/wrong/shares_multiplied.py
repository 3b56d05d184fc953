# replaces: gradients
# loses: 3
# hint: The two shares were multiplied. What comes along two paths adds up.


def gradients(x, W, b):
    c, o = copy(x, W, b)
    zo = 2 * (o - x) * o * (1 - o)
    zc = (W @ zo) * c * (1 - c)
    return np.outer(c, zo) * np.outer(zc, x), zc
