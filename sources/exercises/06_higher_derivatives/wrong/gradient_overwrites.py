# replaces: gradient
# loses: 2
# hint: y is used twice: in p = x y, and once more beside p. You handed it only one of the two shares. What
#   does the other add?


def gradient(x, y):
    p = x * y
    x_bar = y * y + np.cos(x)
    y_bar = p
    return x_bar, y_bar
