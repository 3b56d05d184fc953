# replaces: product
# loses: 6
# hint: You multiply the tangents. In a product, a' b' stands in front of ε², and ε² is 0. Which terms have exactly
#   one ε?


def multiply(a, b):
    return a.value * b.value, a.tangent * b.tangent
