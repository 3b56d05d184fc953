# replaces: power
# loses: 2
# hint: The power is taken of the tangent. What is raised to n - 1 is the VALUE of a; the tangent is one plain
#   factor, by the chain rule.


def power(a, n):
    return a.value**n, n * a.tangent ** (n - 1) * a.value
