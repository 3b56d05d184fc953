# replaces: power
# loses: 2
# hint: The exponent was not lowered by one: the derivative of x³ is 3 x².


def power(a, n):
    return a.value**n, n * a.value**n * a.tangent
