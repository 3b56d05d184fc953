# replaces: quotient
# loses: 3
# hint: The two terms of the numerator have changed places, so the sign is the opposite. When the numerator
#   grows, so does the quotient.


def divide(a, b):
    return a.value / b.value, (a.value * b.tangent - a.tangent * b.value) / b.value**2
