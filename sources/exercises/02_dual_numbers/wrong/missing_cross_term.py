# replaces: product
# loses: 6
# hint: One of the two cross terms is missing: you have a b', but a' is multiplied as well, by b.


def multiply(a, b):
    return a.value * b.value, a.value * b.tangent
