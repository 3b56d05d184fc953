# replaces: derivative
# loses: 2
# hint: 10 is f(2). The derivative rode along in the other part of the result.


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.value if isinstance(result, Dual) else 0.0
