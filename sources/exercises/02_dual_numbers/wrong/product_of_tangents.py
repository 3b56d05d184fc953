# replaces: product
# loses: 6
# hint: You multiply the tangents. In a product a' b' stands in front of ε², and that is the term which is
#   zero. Which terms have one ε?


def multiply(a, b):
    return a.value * b.value, a.tangent * b.tangent
