# replaces: rules
# loses: 3
# hint: cos(0.5) is the derivative of sin, but the tangent of the input is 2: the chain rule's second factor is
#   missing.


def sin_rule(a):
    return sin(a.value), cos(a.value)


def cos_rule(a):
    return cos(a.value), -1 * sin(a.value)


def exp_rule(a):
    return exp(a.value), exp(a.value)
