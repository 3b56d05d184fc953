# replaces: sums
# loses: 2
# hint: The values are subtracted, the tangents are added. The minus holds for the whole bracket (b + b'ε).


def add(a, b):
    return a.value + b.value, a.tangent + b.tangent


def subtract(a, b):
    return a.value - b.value, a.tangent + b.tangent
