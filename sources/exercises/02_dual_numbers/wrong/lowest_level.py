# replaces: apart
# loses: 2
# hint: The passenger of y is lost: you chose the lowest level, so that y became a constant in its own
#   derivative. The innermost question is the one being asked, and its level is the highest.


def as_duals(*numbers):
    level = min(n.level for n in numbers if isinstance(n, Dual))
    return [n if isinstance(n, Dual) and n.level == level else Dual(n, 0.0, level) for n in numbers]


def derivative(f, x):
    level = new_level()
    result = f(Dual(x, 1.0, level))
    return result.tangent if isinstance(result, Dual) and result.level == level else 0.0
