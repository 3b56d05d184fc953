# replaces: judge
# loses: 2
# hint: This is the absolute difference. For a function with values in the millions, rounding alone makes it large; for tiny
#   ones a wrong rule slips through. Divide by the larger of the two numbers.


def dot_product_test(jvp, vjp, u, w):
    return abs(np.sum(w * jvp(u)) - np.sum(vjp(w) * u))
