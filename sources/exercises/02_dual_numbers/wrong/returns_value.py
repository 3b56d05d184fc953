# replaces: derivative
# loses: 2
# hint: 10 is f(2), not its derivative. Either you read the value of the result, or value and tangent changed places
#   when you made the Dual.


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.value if isinstance(result, Dual) else 0.0
