# replaces: judge
# loses: 2
# hint: Both numbers are negative here. The larger of their ABSOLUTE values was asked for, and you took the larger
#   of the numbers.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    scale = max(forward, backward)
    return abs(forward - backward) / scale if scale else 0.0
