# replaces: sums
# loses: 5
# hint: A rule returns two numbers, the value and the tangent, separated by a comma. You return a Dual: `apply`
#   makes that.


def add(a, b):
    return Dual(a.value + b.value, a.tangent + b.tangent)


def subtract(a, b):
    return a.value - b.value, a.tangent - b.tangent
