# replaces: gradient
# loses: 3
# hint: The derivative of z² is 2 z. You took 2 v, with v = z².


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = a * 2 * v * v_bar
