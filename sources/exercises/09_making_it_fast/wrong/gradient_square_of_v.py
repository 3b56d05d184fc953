# replaces: gradient
# loses: 3
# hint: The square belongs to 1 + v as a whole: (1 + v)², and not 1 + v².


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / (1 + v * v)
        x_bar[k] = a * 2 * z * v_bar
