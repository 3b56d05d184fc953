# replaces: gradient
# loses: 2
# hint: One share of y is missing: y is used in p = x y, and once more beside p. What does the other share add?


def gradient(x, y):
    p = x * y
    x_bar = y * y + np.cos(x)
    y_bar = p
    return x_bar, y_bar
