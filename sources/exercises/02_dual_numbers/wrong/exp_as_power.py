# replaces: rules
# loses: 3
# hint: You differentiate exp like a power of its argument. exp is its own derivative: its value is what the tangent
#   is multiplied by.


def sin_rule(a):
    return sin(a.value), cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), -1 * sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a.value), a.value * exp(a.value - 1) * a.tangent
