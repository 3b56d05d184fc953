# replaces: judge
# loses: 2
# hint: u and w have changed places: jvp takes u, the direction of the input, and its result is multiplied by w.


def dot_product_test(jvp, vjp, u, w):
    a, b = np.sum(w * jvp(w)), np.sum(vjp(u) * u)
    m = max(abs(a), abs(b))
    return abs(a - b) / m if m else 0.0
