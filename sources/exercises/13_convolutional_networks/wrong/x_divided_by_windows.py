# replaces: x_adjoint
# loses: 3
# hint: Each pixel was divided by the number of windows that it is in. Adjoints add up: nothing is divided.


def x_adjoint(y_bar, w):
    h, k = w.shape
    x = np.zeros((y_bar.shape[0] + h - 1, y_bar.shape[1] + k - 1))
    n = np.zeros_like(x)
    for r in range(y_bar.shape[0]):
        for q in range(y_bar.shape[1]):
            x[r : r + h, q : q + k] += y_bar[r, q] * w
            n[r : r + h, q : q + k] += 1
    return x / n
