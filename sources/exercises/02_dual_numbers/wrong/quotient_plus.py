# replaces: quotient
# loses: 3
# hint: The sign of the second term: when the denominator grows, the quotient gets smaller; yours grows with b'.


def divide(a, b):
    return a.value / b.value, (a.tangent * b.value + a.value * b.tangent) / b.value**2
