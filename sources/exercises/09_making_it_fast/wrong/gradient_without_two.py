# replaces: gradient
# loses: 3
# hint: Half of what it should be, everywhere: the derivative of z² is 2 z.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = a * z * v_bar
