# replaces: sums
# loses: 5
# hint: You took the mean of the tangents. Two changes at the same time add up, they are not averaged.


def add(a, b):
    return a.value + b.value, (a.tangent + b.tangent) / 2


def subtract(a, b):
    return a.value - b.value, (a.tangent - b.tangent) / 2
