# replaces: gradient
# loses: 3
# hint: That is the adjoint of z. One step is left: z = a x + b, so the derivative of z with respect to x is a.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        x_bar[k] = 2 * z * w_bar[k] / ((1 + v) * (1 + v))
