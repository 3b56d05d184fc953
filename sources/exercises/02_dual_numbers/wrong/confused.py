# replaces: apart
# loses: 2
# hint: Two passengers were taken for one. Inside, x carries the ε of the outer derivative and y that of the
#   inner one, and `add` put them together. Give each derivative a level of its own, and let as_duals treat
#   everything of a lower level as a constant.


def as_duals(*numbers):
    return [n if isinstance(n, Dual) else Dual(n, 0.0) for n in numbers]


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.tangent if isinstance(result, Dual) else 0.0
