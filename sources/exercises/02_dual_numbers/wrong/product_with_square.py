# replaces: product
# loses: 6
# hint: The term a' b' is one too many: it stands in front of ε², which is 0.


def multiply(a, b):
    return a.value * b.value, a.value * b.tangent + a.tangent * b.value + a.tangent * b.tangent
