# replaces: power
# loses: 2
# hint: The exponent was lowered in the wrong place: the factor in front is n, and the new exponent is n - 1.


def power(a, n):
    return a.value**n, (n - 1) * a.value**n * a.tangent
