# replaces: gradient
# loses: 3
# hint: The derivative of v / (1 + v) with respect to v: the quotient rule gives ((1 + v) - v) over the square of 1
#   + v. Your denominator is not squared.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        x_bar[k] = a * 2 * z * w_bar[k] / (1 + v)
