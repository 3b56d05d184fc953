# replaces: quotient
# loses: 3
# hint: You divided the tangents. A quotient's derivative needs the quotient rule: solve q b' + q' b = a' for q'.


def divide(a, b):
    quotient = a.value / b.value
    return quotient, a.tangent / b.tangent
