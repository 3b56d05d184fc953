# replaces: sums
# loses: 2
# hint: Your difference is b - a. It should be a - b, in both parts.


def add(a, b):
    return a.value + b.value, a.tangent + b.tangent


def subtract(a, b):
    return b.value - a.value, b.tangent - a.tangent
