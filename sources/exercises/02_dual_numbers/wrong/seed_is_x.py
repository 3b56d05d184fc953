# replaces: derivative
# loses: 2
# hint: Everything is x times too large: the tangent of x is 1, and not x.


def derivative(f, x):
    result = f(Dual(x, x))
    return result.tangent if isinstance(result, Dual) else 0.0
