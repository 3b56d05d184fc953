# replaces: rules
# loses: 3
# hint: The sign: cos decreases where sin is positive. Look at the two curves at 0.5.


def sin_rule(a):
    return sin(a.value), cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a.value), exp(a.value) * a.tangent
