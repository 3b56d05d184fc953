# replaces: quotient
# loses: 3
# hint: A sign. When the denominator grows, the quotient gets smaller; yours grows with b'.


def divide(a, b):
    return a.value / b.value, (a.tangent * b.value + a.value * b.tangent) / b.value**2
