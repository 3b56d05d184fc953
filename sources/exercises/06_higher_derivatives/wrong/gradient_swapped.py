# replaces: gradient
# loses: 2
# hint: The two results have changed places: the derivative with respect to x comes first.


def gradient(x, y):
    p = x * y
    p_bar, s_bar = y, 1.0
    x_bar = p_bar * y + s_bar * np.cos(x)
    y_bar = p + p_bar * x
    return y_bar, x_bar
