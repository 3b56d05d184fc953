# replaces: product
# loses: 6
# hint: You multiplied sums. Expand the brackets: a b' and a' b are the two terms with one ε.


def multiply(a, b):
    return a.value * b.value, (a.value + b.value) * (a.tangent + b.tangent)
