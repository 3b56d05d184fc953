# replaces: judge
# loses: 2
# hint: You divided by the sum of the two sizes. The LARGER of the two was asked for.


def dot_product_test(jvp, vjp, u, w):
    a, b = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    return abs(a - b) / (abs(a) + abs(b)) if a or b else 0.0
