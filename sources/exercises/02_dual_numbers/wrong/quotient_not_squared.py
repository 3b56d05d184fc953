# replaces: quotient
# loses: 2
# hint: Your numerator is right, and the result is 4 times what it should be: b is 4 here. What does the quotient
#   rule divide by?


def divide(a, b):
    return a.value / b.value, (a.tangent * b.value - a.value * b.tangent) / b.value
