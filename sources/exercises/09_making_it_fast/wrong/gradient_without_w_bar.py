# replaces: gradient
# loses: 3
# hint: The derivative is right for w_bar = 1. But each number has an adjoint of its own, which comes in as
#   w_bar[k]: multiply by it.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        x_bar[k] = a * 2 * z / ((1 + v) * (1 + v))
