# replaces: rules
# loses: 3
# hint: In the rule for cos, value and tangent have changed places: the sine belongs to the value.


def sin_rule(a):
    return sin(a.value), cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), -sin(a.tangent) * a.value


def exp_rule(a):
    return exp(a.value), exp(a.value) * a.tangent
