# replaces: quotient
# loses: 3
# hint: You divided the tangents. A quotient's derivative needs the quotient rule: solve q b' + q' b = a' for
#   q'.


def divide(a, b):
    return a.value / b.value, a.tangent / b.tangent if b.tangent else a.tangent / b.value
