# replaces: quotient
# loses: 3
# hint: Only the denominator moves in your tangent. The numerator has a tangent as well: its share is a' b,
#   over b squared.


def divide(a, b):
    return a.value / b.value, -a.value * b.tangent / b.value**2
