# replaces: gradient
# loses: 3
# hint: The sign of every entry is the opposite. No minus sign occurs in the three formulas.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = -a * 2 * z * v_bar
