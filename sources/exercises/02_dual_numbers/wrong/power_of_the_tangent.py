# replaces: power
# loses: 2
# hint: You raised the tangent to a power. The power belongs to the value: n a^(n-1), times the tangent.


def power(a, n):
    return a.value**n, a.tangent**n
