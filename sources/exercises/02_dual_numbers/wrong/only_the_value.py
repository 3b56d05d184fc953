# replaces: product
# loses: 6
# hint: The product of the values is right, but the tangent is 0. Four products appear when you expand the brackets:
#   which of them have exactly one ε?


def multiply(a, b):
    return a.value * b.value, 0.0
