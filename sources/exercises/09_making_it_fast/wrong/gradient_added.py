# replaces: gradient
# loses: 3
# hint: You added to what was in x_bar before. Adding is right where several shares meet; here there is one, and the
#   old content has no meaning.


def gradient_fused(x, w_bar, a, b, x_bar):
    for k in range(len(x)):
        z = a * x[k] + b
        v = z * z
        x_bar[k] += a * 2 * z * w_bar[k] / ((1 + v) * (1 + v))
