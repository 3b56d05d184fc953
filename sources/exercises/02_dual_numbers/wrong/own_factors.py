# replaces: product
# loses: 6
# hint: Each tangent is multiplied by the value of its own number. In a product, each is multiplied by the OTHER
#   factor.


def multiply(a, b):
    return a.value * b.value, a.value * a.tangent + b.value * b.tangent
