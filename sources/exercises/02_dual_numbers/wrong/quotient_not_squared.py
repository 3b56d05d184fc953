# replaces: quotient
# loses: 2
# hint: Your numerator is right, and -8 is twice what it should be: b is 2 here. What does the quotient rule
#   divide by?


def divide(a, b):
    return a.value / b.value, (a.tangent * b.value - a.value * b.tangent) / b.value
