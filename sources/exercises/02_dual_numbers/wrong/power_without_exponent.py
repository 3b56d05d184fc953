# replaces: power
# loses: 2
# hint: The factor n is missing. x³ = x x x: the derivative of each of the three factors gives one term.


def power(a, n):
    return a.value**n, a.value ** (n - 1) * a.tangent
