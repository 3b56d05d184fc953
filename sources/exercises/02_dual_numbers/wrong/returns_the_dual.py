# replaces: derivative
# loses: 2
# hint: You return the whole Dual. The derivative is one of its two parts.


def derivative(f, x):
    result = f(Dual(x, 1.0))
    return result
