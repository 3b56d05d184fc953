# replaces: gradient
# loses: 3
# hint: The derivative of z² with respect to z is 2 z. You took 2 x, and z is a x + b.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        t = x[k]
        v = (a * t + b) ** 2
        x_bar[k] = a * 2 * t * w_bar[k] / (1 + v) ** 2
