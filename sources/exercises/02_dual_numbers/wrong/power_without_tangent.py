# replaces: power
# loses: 1
# hint: 12 is the derivative of x³ at 2. But the tangent of a is 0.25 here: the chain rule's second factor is
#   missing.


def power(a, n):
    return a.value**n, n * a.value ** (n - 1)
