# replaces: derivative
# loses: 1
# hint: f is the constant 4, and you return 4. Its derivative was asked for: how much does a constant change?


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result.tangent if isinstance(result, Dual) else result
