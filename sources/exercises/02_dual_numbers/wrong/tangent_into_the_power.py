# replaces: power
# loses: 2
# hint: The tangent went into the power. It stands outside, as a factor: f'(a) times a'.


def power(a, n):
    return a.value**n, (n * a.tangent) ** (n - 1)
