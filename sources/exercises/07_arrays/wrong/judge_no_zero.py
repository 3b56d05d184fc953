# replaces: judge
# loses: 2
# hint: Both numbers are 0, and 0 / 0 is nan. The text says what should come out then.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    scale = max(abs(forward), abs(backward))
    return abs(forward - backward) / scale
