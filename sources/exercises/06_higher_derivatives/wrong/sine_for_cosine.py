# replaces: gradient
# loses: 2
# hint: The share of x through s is the sine itself. By how much does sin x grow if x grows a little?


def gradient(x, y):
    p = x * y
    return y * y + np.sin(x), y * x + p
