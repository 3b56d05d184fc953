# replaces: judge
# loses: 2
# hint: jvp takes u, and vjp takes w. You gave one of them the other's vector.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(u) * w)
    scale = max(abs(forward), abs(backward))
    return abs(forward - backward) / scale if scale else 0.0
