# replaces: apart
# loses: 2
# hint: Two tangents were taken for one. Inside, x has the tangent of the outer derivative and y that of the inner
#   one, and `add` added them up. Give each derivative a tag of its own, and let as_duals treat everything with a
#   smaller tag as a constant.


def as_duals(*numbers):
    return [n if isinstance(n, Dual) else Dual(n, 0.0) for n in numbers]


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.tangent if isinstance(result, Dual) else 0.0
