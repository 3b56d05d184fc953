# replaces: derivative
# loses: 2
# hint: You approximate: f was called with plain numbers, or more than once. Make one Dual, with the right tangent,
#   and call f on that.


def derivative(f, x):
    h = 1e-5
    high, low = f(x + h), f(x - h)
    return (high - low) / (2 * h)
