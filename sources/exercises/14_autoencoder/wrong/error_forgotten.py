# replaces: gradients
# loses: 5
# hint: The derivative of the sigmoid is there, and the error is not: what does the square pass on to o?


def gradients(x, W, b):
    c, o = copy(x, W, b)
    zo = o * (1 - o)
    zc = (W @ zo) * c * (1 - c)
    return np.outer(c, zo) + np.outer(zc, x), zc
