# replaces: gradients
# loses: 5
# hint: The sigmoid was applied again: o and c have been through it already. Its derivative, from its value s, is s
#   (1 - s).


def gradients(x, W, b):
    c, o = copy(x, W, b)
    zo = 2 * (o - x) * sigmoid(o) * (1 - sigmoid(o))
    zc = (W @ zo) * sigmoid(c) * (1 - sigmoid(c))
    return np.outer(c, zo) + np.outer(zc, x), zc
