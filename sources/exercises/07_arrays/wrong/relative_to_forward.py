# replaces: judge
# loses: 2
# hint: You divide by the forward number, and not by the larger of the two. With an adjoint 1.25 times too large that is 0.25
#   instead of 0.2, and where the forward number is 0 there is nothing to divide by.


def dot_product_test(jvp, vjp, u, w):
    forward, backward = np.sum(w * jvp(u)), np.sum(vjp(w) * u)
    return abs(forward - backward) / abs(forward) if forward else 0.0
