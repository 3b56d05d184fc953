# replaces: quotient
# loses: 2
# hint: Python divides only the last term by the square. The whole difference is divided: where do brackets
#   belong?


def divide(a, b):
    return a.value / b.value, a.tangent * b.value - a.value * b.tangent / b.value**2
