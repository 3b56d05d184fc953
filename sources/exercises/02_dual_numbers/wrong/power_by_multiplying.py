# replaces: power
# loses: 1
# hint: Multiplying n times works for n = 3, but range() cannot count to -1 or 0.5. The rule for xⁿ holds for all of
#   them.


def power(a, n):
    value, tangent = 1.0, 0.0
    for _ in range(n):
        value, tangent = value * a.value, value * a.tangent + tangent * a.value
    return value, tangent
