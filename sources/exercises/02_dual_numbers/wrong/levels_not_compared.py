# replaces: apart
# loses: 2
# hint: The inner function returned x, a dual of the outer level, and you read its tangent. That tangent
#   answers the outer question; for the inner one x is a constant.


def as_duals(*numbers):
    level = max(n.level for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.level == level else Dual(n, 0.0, level) for n in numbers]


def derivative(f, x):
    result = f(Dual(x, 1.0, new_level()))
    return result.tangent if isinstance(result, Dual) else 0.0
