# replaces: rules
# loses: 1
# hint: math.sin takes plain numbers only. In a derivative of a derivative, a.value is itself a dual: use the
#   functions sin, cos and exp of the cell above, which take both.


def sin_rule(a):
    return math.sin(a.value), math.cos(a.value) * a.tangent


def cos_rule(a):
    return math.cos(a.value), -math.sin(a.value) * a.tangent


def exp_rule(a):
    return math.exp(a.value), math.exp(a.value) * a.tangent
