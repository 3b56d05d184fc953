# replaces: gradients
# loses: 3
# hint: The decoder computes W transposed times c. So its share of W has the CODE in it, and not the code's adjoint.


def gradients(x, W, b):
    c, o = copy(x, W, b)
    zo = 2 * (o - x) * o * (1 - o)
    c_bar = W @ zo
    zc = c_bar * c * (1 - c)
    return np.outer(c_bar, zo) + np.outer(zc, x), zc
