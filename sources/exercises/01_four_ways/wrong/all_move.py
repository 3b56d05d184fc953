# replaces: slopes
# loses: 2
# hint: You got the sum of both partial derivatives: x + h moves all entries at once. Move one at a time.


def slopes(f, x, h=1e-5):
    return np.array([(f(x + h) - f(x - h)) / (2 * h) for _ in x])
