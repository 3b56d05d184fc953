# replaces: product
# loses: 6
# hint: One of the two terms came twice, and the other is missing: in one of them it is a that moves, in the
#   other b.


def multiply(a, b):
    return a.value * b.value, 2 * a.value * b.tangent
