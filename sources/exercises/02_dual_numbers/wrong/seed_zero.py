# replaces: derivative
# loses: 2
# hint: You sent no passenger along: with tangent 0 the special number is a constant, and constants have
#   derivative 0. x moves by one when x moves by one.


def derivative(f, x):
    result = f(Dual(x))
    return result.tangent if isinstance(result, Dual) else 0.0
