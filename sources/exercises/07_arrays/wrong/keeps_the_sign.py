# replaces: judge
# loses: 2
# hint: How far two numbers are apart has no sign: the absolute value of the difference is missing.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    scale = max(abs(forward), abs(backward))
    return (forward - backward) / scale if scale else 0.0
