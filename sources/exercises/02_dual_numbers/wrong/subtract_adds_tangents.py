# replaces: sums
# loses: 2
# hint: The values are subtracted, but the tangents are added. The minus belongs to the whole bracket (b + b'ε).


def add(a, b):
    return a.value + b.value, a.tangent + b.tangent


def subtract(a, b):
    return a.value - b.value, a.tangent + b.tangent
