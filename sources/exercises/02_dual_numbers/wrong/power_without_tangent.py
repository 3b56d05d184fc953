# replaces: power
# loses: 1
# hint: 12 is the derivative of x³ at 2. But the passenger here has size 0.5: the step of the input is missing
#   as a factor.


def power(a, n):
    return a.value**n, n * a.value ** (n - 1)
