# replaces: quotient
# loses: 3
# hint: The sign is the opposite: the two terms of the numerator have changed places. When the numerator grows, so
#   does the quotient.


def divide(a, b):
    return a.value / b.value, (a.value * b.tangent - a.tangent * b.value) / b.value**2
