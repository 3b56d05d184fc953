# replaces: derivative
# loses: 2
# hint: You divided by the value. The tangent alone is the derivative.


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.tangent / result.value if isinstance(result, Dual) else 0.0
