# replaces: gradient
# loses: 3
# hint: The last step multiplied by the wrong number: in z = a x + b, what stands with x is a.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = b * 2 * z * v_bar
