# replaces: derivative
# loses: 2
# hint: You call f on a complex number. That works as well, but here the Dual should do it: one Dual, with the right
#   tangent.


def derivative(f, x):
    result = f(x + 1e-30j)
    return result.imag / 1e-30 if isinstance(result, complex) else 0.0
