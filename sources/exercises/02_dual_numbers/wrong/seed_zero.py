# replaces: derivative
# loses: 2
# hint: The special number had the tangent 0, or none at all: it was a constant, and constants have the derivative
#   0. What is the derivative of x with respect to x?


def derivative(f, x):
    result = f(Dual(x))
    return result.tangent if isinstance(result, Dual) else 0.0
