# replaces: power
# loses: 2
# hint: The factor n is missing. x³ = x x x: each of the three factors has its turn to carry the passenger.


def power(a, n):
    return a.value**n, a.value ** (n - 1) * a.tangent
