# replaces: rules
# loses: 3
# hint: Your rule calls exp on the dual itself, and exp asks your rule: round and round. What is in a.value?


def sin_rule(a):
    return sin(a.value), cos(a.value) * a.tangent


def cos_rule(a):
    return cos(a.value), -sin(a.value) * a.tangent


def exp_rule(a):
    return exp(a), exp(a) * a.tangent
