# replaces: judge
# loses: 2
# hint: You divide by one of the two numbers, and not by the larger of the two. With an adjoint 1.25 times too large
#   that gives 0.25 instead of 0.2.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    scale = min(abs(forward), abs(backward))
    return abs(forward - backward) / scale if scale else 0.0
