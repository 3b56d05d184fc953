# replaces: product
# loses: 6
# hint: The two terms of a product's derivative are added. A minus belongs to the quotient rule.


def multiply(a, b):
    return a.value * b.value, a.tangent * b.value - a.value * b.tangent
