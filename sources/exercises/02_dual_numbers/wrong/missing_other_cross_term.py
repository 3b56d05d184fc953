# replaces: product
# loses: 6
# hint: One of the two cross terms is missing: you have a' b, but b' is multiplied as well, by a.


def multiply(a, b):
    return a.value * b.value, a.tangent * b.value
