# replaces: judge
# loses: 2
# hint: @ of two matrices is another product. Here entries meet entries: multiply them with *, and sum over all.


def dot_product_test(jvp, vjp, u, w):
    a, b = np.sum(w @ jvp(u)), np.sum(vjp(w) @ u)
    m = max(abs(a), abs(b))
    return abs(a - b) / m if m else 0.0
