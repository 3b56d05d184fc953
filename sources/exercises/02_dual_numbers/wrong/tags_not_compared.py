# replaces: apart
# loses: 2
# hint: The inner function returned x, a dual with the outer tag, and you read its tangent. That tangent is a
#   derivative with respect to the outer variable; in the inner derivative x is a constant.


def as_duals(*numbers):
    tag = max(n.tag for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.tag == tag else Dual(n, 0.0, tag) for n in numbers]


def derivative(f, x):
    result = f(Dual(x, 1.0, new_tag()))
    return result.tangent if isinstance(result, Dual) else 0.0
