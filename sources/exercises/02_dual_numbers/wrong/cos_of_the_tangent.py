# replaces: rules
# loses: 3
# hint: You took the cosine of the tangent. It belongs to the value: f'(a) a', so cos of a's value, times a's
#   tangent.


def sin_rule(a):
    return sin(a.value), cos(a.tangent)


def cos_rule(a):
    return cos(a.value), -sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a.value), exp(a.value) * a.tangent
