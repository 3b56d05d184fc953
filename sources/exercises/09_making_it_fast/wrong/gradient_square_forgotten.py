# replaces: gradient
# loses: 3
# hint: The step from v back to z is missing: v = z², so its derivative is 2 z.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        v_bar = w_bar[k] / ((1 + v) * (1 + v))
        x_bar[k] = a * v_bar
