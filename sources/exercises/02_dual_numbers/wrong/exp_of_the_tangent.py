# replaces: rules
# loses: 3
# hint: You took exp of the tangent. It belongs to the value: exp(a) a'.


def sin_rule(a):
    return sin(a.value), cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), -sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a.value), exp(a.tangent)
