# replaces: judge
# loses: 2
# hint: You compare the lengths of J u and of the vjp. Two products are to be compared: w with jvp(u), and vjp(w)
#   with u.


def dot_product_test(jvp, vjp, u, w):
    a, b = np.linalg.norm(jvp(u)), np.linalg.norm(vjp(w))
    return abs(a - b) / max(a, b) if max(a, b) else 0.0
