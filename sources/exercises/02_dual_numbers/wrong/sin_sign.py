# replaces: rules
# loses: 3
# hint: The sign is the opposite: the derivative of sin is + cos, that of cos is - sin.


def sin_rule(a):
    return sin(a.value), -cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), -sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a.value), exp(a.value) * a.tangent
