# replaces: apart
# loses: 2
# hint: A dual with another tag was unwrapped to its value, and its own tangent is lost. For the inner derivative it
#   is a constant, but the outer one still needs it: wrap the dual itself.


def as_duals(*numbers):
    tag = max([n.tag for n in numbers if isinstance(n, Dual)], default=1)
    return [
        n if isinstance(n, Dual) and n.tag == tag else Dual(n.value if isinstance(n, Dual) else n, 0.0, tag)
        for n in numbers
    ]


def derivative(f, x):
    tag = new_tag()
    y = f(Dual(x, 1.0, tag))
    return y.tangent if isinstance(y, Dual) and y.tag == tag else 0.0
